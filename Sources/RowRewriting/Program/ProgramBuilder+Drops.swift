import StoreModel
import StoreFormat
import Migrations

extension ProgramBuilder {
  func drops(
    from table: Table, _ columns: inout SourceColumns
  ) throws(ProgramError) -> [RowProgram.Drop] {
    var drops: [RowProgram.Drop] = []
    for dropped in lineage.droppedProperties {
      guard let entity = dropped.source,
        sourceLayout.numbering.root(of: entity) == table.rootEntity
      else { continue }
      var parts: [RowProgram.Drop.Part] = []
      for leaf in dropped.leaves where !leaf.expression.cells.isEmpty {
        parts.append(
          RowProgram.Drop.Part(
            cell: try cell(for: leaf.expression.binding(options), in: table, &columns),
            insignificantValues: leaf.insignificantValues, replacement: nil,
            restoration: try leaf.restoration.map { (restoration) throws(ProgramError) in
              try cell(for: restoration.binding(options), in: table, &columns)
            }))
      }
      guard !parts.isEmpty else { continue }
      drops.append(drop(dropped.path, by: dropped.migration, from: entity, parts))
    }
    return try drops + conversionDrops(from: table, &columns) + linkDrops(from: table, &columns)
      + inheritedDrops(from: table, &columns)
  }

  /// Returns the drops of values that kept sub-entities inherit from entities that are removed.
  ///
  /// Must come last: a column that is read already has another outcome.
  private func inheritedDrops(
    from table: Table, _ columns: inout SourceColumns
  ) -> [RowProgram.Drop] {
    let kept = sourceLayout.numbering.tree(of: table.rootEntity).filter { name in
      lineage.entities.values.contains { $0.source == name }
    }
    var drops: [RowProgram.Drop] = []
    for dropped in lineage.droppedEntities {
      guard let entity = dropped.source else { continue }
      let heirs = kept.filter { source.inherits($0, from: entity) }
      for column in table.columns where !heirs.isEmpty {
        switch column.content {
        case .attribute(entity, _, _), .foreignKey(entity, _): break
        default: continue
        }
        guard !columns.columns.contains(.named(column.name)) else { continue }
        let name = column.content.property ?? column.name
        drops.append(
          RowProgram.Drop(
            step: dropped.step, object: "\(entity).\(name)",
            parts: [
              .init(
                cell: .column(columns.place(of: column.name, property: name)),
                insignificantValues: .empty, replacement: nil,
                restoration: nil)
            ],
            entityNumbers: Set(heirs.compactMap(sourceLayout.numbering.number(of:)).map(Int64.init))
          ))
      }
    }
    return drops
  }

  /// Returns the drops of values that are replaced by conversions which may lose them.
  private func conversionDrops(
    from table: Table, _ columns: inout SourceColumns
  ) throws(ProgramError) -> [RowProgram.Drop] {
    var drops: [RowProgram.Drop] = []
    for converted in lineage.convertedProperties {
      guard let entity = converted.source, !converted.conversion.cells.isEmpty,
        sourceLayout.numbering.root(of: entity) == table.rootEntity,
        case .converted(let place, _) = try cell(
          for: converted.conversion.binding(options), in: table, &columns)
      else { continue }
      let part = RowProgram.Drop.Part(
        cell: columns.conversions[place].inputs[converted.input],
        insignificantValues: .empty,
        replacement: .init(conversion: place, input: converted.input), restoration: nil)
      drops.append(drop(converted.path, by: converted.migration, from: entity, [part]))
    }
    return drops
  }

  private func drop(
    _ path: PropertyPath, by migration: String, from entity: String,
    _ parts: [RowProgram.Drop.Part]
  ) -> RowProgram.Drop {
    RowProgram.Drop(
      step: "\(migration):\(path)", object: path.description, parts: parts,
      entityNumbers: sourceNumbers(of: entity))
  }

  /// Returns the drops of links that a table's columns hold.
  ///
  /// Only one side of a relationship has such a column. If the other side is dropped too, no
  /// further links are lost.
  private func linkDrops(
    from table: Table, _ columns: inout SourceColumns
  ) -> [RowProgram.Drop] {
    unlinkedDrops.compactMap { dropped in
      let contents = [
        Column.Content.foreignKey(entity: dropped.source, relationship: dropped.name),
        .inverselessKey(source: dropped.source, relationship: dropped.name),
      ]
      guard let column = table.firstColumn(contents) else { return nil }
      return RowProgram.Drop(
        step: dropped.step, object: dropped.path.description,
        parts: [
          .init(
            cell: .column(columns.place(of: column.name, property: dropped.name)),
            insignificantValues: InsignificantValues(of: nil, in: nil), replacement: nil,
            restoration: nil)
        ], entityNumbers: sourceNumbers(of: table.rootEntity))
    }
  }

  /// The dropped relationships whose links don't stay as those of the inverse.
  private var unlinkedDrops: [Lineage.DroppedRelationship] {
    lineage.droppedRelationships.filter { !isRelinked($0.name, of: $0.source) }
  }

  /// The dropped links that are rows of a join table.
  package var droppedLinks: [StoreProgram.LostLinks] {
    unlinkedDrops.compactMap { dropped in
      let table = sourceLayout.joinTables.first { table in
        table.first.matches((dropped.source, dropped.name))
          // If both sides are dropped, the links are counted once, with the first side.
          || table.second.matches((dropped.source, dropped.name))
            && !unlinkedDrops.contains {
              table.first.matches(($0.source, $0.name))
            }
      }
      return table.map {
        StoreProgram.LostLinks(
          step: dropped.step, object: dropped.path.description, table: $0.name, places: nil)
      }
    }
  }

  /// The orders of links that are lost.
  package var lostOrders: [StoreProgram.LostLinks] {
    lineage.lostOrders(from: source, to: target).compactMap { lost in
      places(of: lost.source).map {
        StoreProgram.LostLinks(
          step: lost.step, object: lost.path.description, table: $0.table, places: $0.places)
      }
    }
  }

  /// Returns where the source has the places of an ordered relationship's links.
  private func places(of path: PropertyPath) -> (table: String, places: StoreProgram.Places)? {
    let side = (entity: path.entity, relationship: path.property)
    for join in sourceLayout.joinTables where join.first.matches(side) || join.second.matches(side)
    {
      let (own, other) =
        join.first.matches(side) ? (join.first, join.second) : (join.second, join.first)
      return other.orderingColumn.map {
        (join.name, .init(owner: own.keyColumn, place: $0, key: other.keyColumn))
      }
    }
    var contents: [(Column.Content, owner: Column.Content)] = [
      (
        .inverselessOrdering(source: path.entity, relationship: path.property),
        .inverselessKey(source: path.entity, relationship: path.property)
      )
    ]
    if let inverse = source.inverse(of: path) {
      contents.append(
        (
          .ordering(entity: inverse.entity, relationship: inverse.property),
          .foreignKey(entity: inverse.entity, relationship: inverse.property)
        ))
    }
    for table in sourceLayout.tables {
      for (content, owner) in contents {
        guard let place = table.column(content), let owner = table.column(owner) else { continue }
        return (table.name, .init(owner: owner.name, place: place.name, key: "Z_PK"))
      }
    }
    return nil
  }
}
