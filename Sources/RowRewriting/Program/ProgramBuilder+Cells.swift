import SQLite
import StoreFormat
import StoreModel
import Migrations

extension ProgramBuilder {
  func cell(
    for column: Column, from table: Table, _ columns: inout SourceColumns
  ) throws(ProgramError) -> RowProgram.Cell {
    if let cell = try relinkedCell(for: column, from: table, &columns) { return cell }
    switch column.content {
    case .primaryKey: return .column(columns.place(of: "Z_PK"))
    case .entityNumber: return .entityNumber(columns.place(of: "Z_ENT"))
    case .optimisticLock: return .column(columns.place(of: "Z_OPT"))
    case .attribute(let name, let path, _):
      guard let entity = lineage.entities[name],
        let expression = entity.cells[path.joined(separator: ".")]
      else { return .constant(.null) }
      let all = try cell(for: expression.binding(options), in: table, &columns)
      let cell = narrowed(all, expression, of: name, property: path[0], in: table, &columns)
      return filled(cell, of: name, property: path[0], &columns)
    case .foreignKey(let name, let relationship):
      return try foreignKey(name, relationship, in: table, &columns)
    case .ordering(let name, let relationship):
      let content = sourceContent(name, relationship) { .ordering(entity: $0, relationship: $1) }
      let links = sourceContent(name, relationship) { .foreignKey(entity: $0, relationship: $1) }
      return try position(
        table.firstColumn(content), of: table.firstColumn(links), in: table, &columns)
    case .inverselessKey(let name, let relationship):
      let content = sourceContent(name, relationship) {
        .inverselessKey(source: $0, relationship: $1)
      }
      return try link(table.firstColumn(content), relationship, of: name, in: table, &columns)
    case .inverselessOrdering(let name, let relationship):
      let content = sourceContent(name, relationship) {
        .inverselessOrdering(source: $0, relationship: $1)
      }
      let links = sourceContent(name, relationship) {
        .inverselessKey(source: $0, relationship: $1)
      }
      return try position(
        table.firstColumn(content), of: table.firstColumn(links), in: table, &columns)
    case .entityKey(let name, let relationship):
      return try entityKey(name, relationship, in: table, &columns)
    }
  }

  /// Returns the cell of a constant for rows that have the attribute, if the system is an old one.
  ///
  /// Newer systems append the column with a default, which all rows of the table get
  /// (`StoreFormat.md` §14.5).
  private func filled(
    _ cell: RowProgram.Cell, of entity: String, property: String, _ columns: inout SourceColumns
  ) -> RowProgram.Cell {
    guard case .constant(let value) = cell, !value.isNull, target[entity]?.superentityName != nil,
      let framework = store.metadata?.frameworkVersion, framework < Self.firstAppending
    else { return cell }
    let flag = columns.place(of: .isOf(entityNumbers: heirs(of: entity)), property: property)
    return .constantWherePresent(value, flag)
  }

  /// Returns a cell that is NULL in rows that don't have the attribute.
  ///
  /// They have a value if the attribute's origin is one of a super-entity, which is in all rows.
  private func narrowed(
    _ cell: RowProgram.Cell, _ expression: Expression, of entity: String, property: String,
    in table: Table, _ columns: inout SourceColumns
  ) -> RowProgram.Cell {
    guard let own = lineage.entities[entity]?.source,
      expression.owners.contains(where: { $0 != own && source.inherits(own, from: $0) })
    else { return cell }
    let numbers = heirs(of: entity)
    let all = sourceLayout.numbering.tree(of: table.rootEntity)
      .compactMap(sourceLayout.numbering.number(of:)).map(Int64.init)
    guard !Set(all).isSubset(of: numbers) else { return cell }
    let flag = columns.place(of: .isOf(entityNumbers: numbers), property: property)
    return .conditional(.null, test: .column(flag), then: .constant(.null), otherwise: cell)
  }

  /// Returns the source's numbers of the entities that have an attribute of an entity.
  private func heirs(of entity: String) -> [Int64] {
    target.entities.map(\.name).filter { target.inherits($0, from: entity) }
      .compactMap { lineage.entities[$0]?.source.flatMap(sourceLayout.numbering.number(of:)) }
      .map(Int64.init).sorted()
  }

  /// The first known build of Core Data that appends columns instead of making a table again.
  private static var firstAppending: Int64 { 977 }

  func copy(_ column: Column?, _ columns: inout SourceColumns) -> RowProgram.Cell {
    column.map { .column(columns.place(of: $0.name, property: $0.content.property)) }
      ?? .constant(.null)
  }

  /// Returns the cell for a link; an empty link may be filled by the row that a value names.
  private func foreignKey(
    _ name: String, _ relationship: String, in table: Table, _ columns: inout SourceColumns
  ) throws(ProgramError) -> RowProgram.Cell {
    if let made = lineage.entities[name]?.relationships[relationship]?.made {
      return try cell(of: made, relationship, of: name, in: table, &columns)
    }
    let contents = sourceContent(name, relationship) { .foreignKey(entity: $0, relationship: $1) }
    let old = table.firstColumn(contents)
    let link = try link(old, relationship, of: name, in: table, &columns)
    guard let match = lineage.entities[name]?.relationships[relationship]?.match else {
      return link
    }
    guard let lookup = try lookup(match, from: table, link: old?.name)
    else { return link }
    let key = columns.place(of: .matchingKey(lookup), property: relationship)
    return .conditional(.null, test: link, then: .column(key), otherwise: link)
  }

  private func lookup(
    _ match: Lineage.Match, from table: Table, link: String?
  ) throws(ProgramError) -> RowProgram.KeyLookup? {
    guard case .cell(let owner, let path) = match.value else { return nil }
    guard let column = table.attributeColumn(path, of: owner) else {
      throw .missingColumn(entity: owner, property: path)
    }
    guard let root = sourceLayout.numbering.root(of: match.entity),
      let others = sourceLayout.table(of: root),
      let name = others.attributeColumn(match.attribute, of: match.entity),
      let attribute = source[match.entity]?.leaf(at: match.attribute)
    else { throw .missingColumn(entity: match.entity, property: match.attribute) }
    return RowProgram.KeyLookup(
      column: column, link: link, table: others.name, nameColumn: name,
      entityNumbers: sourceNumbers(of: match.entity).sorted(),
      isUUID: attribute.type == .uuid,
      losesRows: try removals()?.tables.contains(others.name) == true)
  }

  private func entityKey(
    _ name: String, _ relationship: String, in table: Table, _ columns: inout SourceColumns
  ) throws(ProgramError) -> RowProgram.Cell {
    if lineage.entities[name]?.relationships[relationship]?.made != nil {
      // The new entity has no sub-entities, so only its links to the owner need a number.
      return .entityNumber(columns.place(of: "Z_ENT"))
    }
    let keys = sourceContent(name, relationship) { .entityKey(entity: $0, relationship: $1) }
    let links = sourceContent(name, relationship) { .foreignKey(entity: $0, relationship: $1) }
    let key = table.firstColumn(links)
    if let column = table.firstColumn(keys) {
      return try movedNumber(column, of: key, in: table, &columns)
    }
    // The destination had no sub-entities, so every linked row is of the destination itself.
    let destination = lineage.entities[name]?.relationships[relationship]?.source?.destination
    guard
      case .column(let place) = try link(key, relationship, of: name, in: table, &columns),
      let destination,
      let kept = lineage.entities.first(where: { $0.value.source == destination })?.key,
      let number = targetLayout.numbering.number(of: kept)
    else { return .constant(.null) }
    return .constantWherePresent(.integer(Int64(number)), place)
  }

  /// Returns the contents of the source's columns that a relationship may come from.
  private func sourceContent(
    _ entity: String, _ relationship: String,
    _ content: (String, String) -> Column.Content
  ) -> [Column.Content] {
    guard let lineage = lineage.entities[entity], let source = lineage.source,
      let name = lineage.relationships[relationship]?.source?.name
    else { return [] }
    return self.source.chain(from: source).map { content($0, name) }
  }

  func cell(
    for expression: Expression, in table: Table, _ columns: inout SourceColumns
  ) throws(ProgramError) -> RowProgram.Cell {
    switch expression {
    case .constant(let value): return .constant(value)
    case .option(let option): return .missingOption(option)
    case .cell(let entity, let path):
      guard let name = table.attributeColumn(path, of: entity) else {
        throw .missingColumn(entity: entity, property: path)
      }
      return .column(columns.place(of: name, property: path))
    case .computed(let computation):
      if let option = expression.options.first { return .missingOption(option) }
      return .column(try place(of: computation, in: table, &columns))
    case .newUUID(let path, let isText):
      let source = lineage.entities.values.first { $0.cells.values.contains(expression) }?.rowSource
      let column = column(ofNewUUID: path, isText: isText, source: source)
      return .column(columns.place(of: .computed(column), property: path.property))
    case .sequence(let sequence):
      if let option = expression.options.first { return .missingOption(option) }
      let column = try column(of: sequence, in: table)
      return .column(columns.place(of: .derived(column), property: sequence.path.property))
    case .converted(let converter, let output, let inputs):
      var cells: [RowProgram.Cell] = []
      for input in inputs { cells.append(try cell(for: input, in: table, &columns)) }
      let conversion = RowProgram.RowConversion(converter: converter, inputs: cells)
      return .converted(columns.place(of: conversion), output: output)
    case .conditional(let condition, let test, let then, let otherwise):
      let test = try cell(for: test, in: table, &columns)
      return .conditional(
        columns.condition(condition, on: test), test: test,
        then: try cell(for: then, in: table, &columns),
        otherwise: try cell(for: otherwise, in: table, &columns))
    }
  }
}

extension Table {
  func firstColumn(_ contents: [Column.Content]) -> Column? {
    contents.lazy.compactMap { self.column($0) }.first
  }
}

extension Model {
  func relationship(_ name: String, declaredBy entity: String) -> Relationship? {
    guard case .relationship(let relationship) = self[entity]?[name] else { return nil }
    return relationship
  }
}
