import Migrations
import SQLite
import StoreFormat
import StoreModel

/// Rows that are made of rows of another entity.
extension ProgramBuilder {
  /// The rows that steps make of rows of other entities.
  func splits() throws(ProgramError) -> [SplitRows] {
    var splits: [SplitRows] = []
    for table in targetLayout.tables {
      guard let split = lineage.entities[table.rootEntity]?.split else { continue }
      splits.append(try rows(of: split, as: table))
    }
    return splits
  }

  private func rows(of split: Lineage.Split, as table: Table) throws(ProgramError) -> SplitRows {
    guard let source = sourceTable(of: split),
      let number = targetLayout.numbering.number(of: table.rootEntity),
      let (owner, link) = madeLink(of: split),
      let ownerTable = targetLayout.numbering.root(of: owner).flatMap(targetLayout.table(of:)),
      let column = ownerTable.column(.foreignKey(entity: owner, relationship: link))
    else { throw .missingColumn(entity: split.owner, property: table.rootEntity) }
    var values: [String] = []
    for value in split.values { values.append(try sql(of: value.binding(options), in: source)) }
    return SplitRows(
      object: split.object, target: table.rootEntity, number: Int64(number),
      sourceTable: source.name,
      entityNumbers: sourceNumbers(of: split.owner), table: table.name,
      ownerTable: ownerTable.name, link: column.name, values: values,
      carried: carried(in: table, from: source),
      losesRows: try removals()?.tables.contains(source.name) == true)
  }

  private func sourceTable(of split: Lineage.Split) -> Table? {
    sourceLayout.numbering.root(of: split.owner).flatMap(sourceLayout.table(of:))
  }

  /// Returns the new relationship to the rows that a step makes, with the entity that declares it.
  private func madeLink(of split: Lineage.Split) -> (entity: String, relationship: String)? {
    for (name, entity) in lineage.entities {
      for (relationship, lineage) in entity.relationships
      where lineage.made?.split == split && lineage.made?.isInverse == false {
        return (name, relationship)
      }
    }
    return nil
  }

  private func carried(in table: Table, from source: Table) -> [SplitRows.Carried] {
    table.columns.compactMap { column in
      guard case .attribute(let name, let path, _) = column.content,
        case .cell(let entity, let old)? = lineage.entities[name]?.cells[
          path.joined(separator: ".")], let before = source.attributeColumn(old, of: entity)
      else { return nil }
      return SplitRows.Carried(column: before, newColumn: column.name)
    }
  }

  /// Returns the program for the rows that a step makes; `nil` if none makes the table's.
  func splitProgram(for table: Table) throws(ProgramError) -> RowProgram? {
    guard let split = lineage.entities[table.rootEntity]?.split,
      let source = sourceTable(of: split)
    else { return nil }
    let rows = try rows(of: split, as: table)
    var columns = SourceColumns(["Z_PK", "Z_ENT", "Z_OPT"])
    var cells: [RowProgram.Cell] = []
    for column in table.columns {
      switch column.content {
      case .entityNumber: cells.append(.constant(.integer(rows.number)))
      case .optimisticLock: cells.append(.constant(.integer(1)))
      default: cells.append(try cell(for: column, from: source, &columns))
      }
    }
    return RowProgram(
      sourceEntity: source.rootEntity, sourceTable: source.name,
      sourceColumns: columns.columns, sourceProperties: columns.properties, table: table,
      cells: cells, conversions: columns.conversions,
      entityNumbers: Dictionary(
        rows.entityNumbers.map { ($0, rows.number) }, uniquingKeysWith: { first, _ in first }),
      linkedNumbers: entityNumbers, carriesAllEntities: false,
      removals: try removals(for: source, columns), drops: [], split: rows)
  }

  /// Returns the cell of a link that a step makes.
  ///
  /// - Parameters:
  ///   - made: The step and the side.
  ///   - relationship: The target's relationship.
  ///   - entity: The target's entity that declares it.
  ///   - table: The source's table of the owners.
  ///   - columns: Receives the columns that are read.
  /// - Returns: The cell.
  /// - Throws: A ``ProgramError`` if the store lacks a column.
  func cell(
    of made: Lineage.MadeLink, _ relationship: String, of entity: String, in table: Table,
    _ columns: inout SourceColumns
  ) throws(ProgramError) -> RowProgram.Cell {
    let key = RowProgram.Cell.column(columns.place(of: "Z_PK"))
    if made.isInverse { return key }
    guard
      let part = targetLayout.tables.first(where: {
        lineage.entities[$0.rootEntity]?.split == made.split
      })
    else { return .constant(.null) }
    let rows = try rows(of: made.split, as: part)
    let all = sourceLayout.numbering.tree(of: table.rootEntity).compactMap(
      sourceLayout.numbering.number(of:))
    if !rows.isByValue, rows.entityNumbers == Set(all.map(Int64.init)) { return key }
    let isMandatory = target.relationship(relationship, declaredBy: entity)?.isOptional == false
    let derived = DerivedColumn(
      sql: rows.key, preparation: rows.preparation, replaced: nil, removedKeys: nil,
      rules: isMandatory ? [.linked(entityNumbers: rows.entityNumbers)] : [])
    return .column(columns.place(of: .derived(derived), property: relationship))
  }
}

/// Rows whose values become those of the rows that link to them.
extension ProgramBuilder {
  /// The rows that steps remove by copying their values to the rows that link to them.
  func inlines() throws(ProgramError) -> [InlinedRows] {
    var inlines: [InlinedRows] = []
    for inline in lineage.inlines {
      guard let table = table(of: inline.link.entity), let parts = self.table(of: inline.part),
        let link = table.column(
          .foreignKey(entity: inline.link.entity, relationship: inline.link.property)),
        let owner = lineage.entities.first(where: { $0.value.source == inline.link.entity })?.key,
        let newTable = targetLayout.numbering.root(of: owner).flatMap(targetLayout.table(of:))
      else { throw .missingColumn(entity: inline.link.entity, property: inline.link.property) }
      inlines.append(
        InlinedRows(
          step: inline.step, path: inline.path.description, object: inline.object,
          ownerTable: table.name, link: link.name,
          entityNumbers: sourceNumbers(of: inline.link.entity), table: parts.name,
          newTable: newTable.name,
          columns: inline.values.compactMap { parts.attributeColumn($0.name, of: inline.part) },
          carried: carried(inline, from: parts, to: newTable),
          drops: drops(of: inline.part, in: parts),
          losesRows: try removals()?.tables.contains(table.name) == true))
    }
    return inlines
  }

  private func table(of source: String) -> Table? {
    sourceLayout.numbering.root(of: source).flatMap(sourceLayout.table(of:))
  }

  /// Returns the values that the target has as the step made them.
  private func carried(
    _ inline: Lineage.Inline, from parts: Table, to table: Table
  ) -> [InlinedRows.Carried] {
    inline.values.flatMap { value in
      table.columns.compactMap { column in
        guard case .attribute(let entity, let path, _) = column.content,
          lineage.entities[entity]?.cells[path.joined(separator: ".")] == value.expression,
          let old = parts.attributeColumn(value.name, of: inline.part)
        else { return nil }
        var missing: Value?
        if case .conditional(_, _, .constant(let value), _) = value.expression { missing = value }
        return InlinedRows.Carried(column: old, newColumn: column.name, missing: missing)
      }
    }
  }

  /// Returns the properties that steps drop before the rows are removed.
  private func drops(of part: String, in table: Table) -> [InlinedRows.Drop] {
    let values = lineage.droppedProperties.filter { $0.source == part }.flatMap { dropped in
      dropped.leaves.compactMap { leaf -> InlinedRows.Drop? in
        guard case .cell(let entity, let path) = leaf.expression,
          let column = table.attributeColumn(path, of: entity)
        else { return nil }
        return InlinedRows.Drop(
          step: "\(dropped.migration):\(dropped.path)", object: dropped.path.description,
          column: column, insignificantValues: leaf.insignificantValues)
      }
    }
    let links = lineage.droppedRelationships.filter { $0.source == part }
      .compactMap { dropped -> InlinedRows.Drop? in
        let contents = [
          Column.Content.foreignKey(entity: dropped.source, relationship: dropped.name),
          .inverselessKey(source: dropped.source, relationship: dropped.name),
        ]
        return table.firstColumn(contents).map {
          InlinedRows.Drop(
            step: dropped.step, object: dropped.path.description, column: $0.name,
            insignificantValues: InsignificantValues(of: nil, in: nil))
        }
      }
    return values + links
  }
}
