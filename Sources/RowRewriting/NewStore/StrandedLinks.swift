package import SQLite
import StoreFormat
package import StoreModel

/// Links of one relationship that a new store would keep, between its rows and rows that it lacks.
package struct StrandedLinks: Hashable, Sendable {
  /// The relationship, by its name in the source: `Animal.owner`.
  package let relationship: String

  /// The rows that the new store has.
  package let rows: NamedRows
}

extension StoreProgram {
  /// Returns the links that tables keep, to or from rows whose entity the migration removes.
  ///
  /// - Parameters:
  ///   - model: The model of the source.
  ///   - connection: A connection to the source.
  /// - Returns: The links, by relationship; an empty array if there are none.
  /// - Throws: An error of SQLite if a table can't be read.
  /// - Complexity: O(*n*) in the rows of tables with links to a tree that loses an entity.
  package func strandedLinks(
    of model: Model, _ connection: borrowing Connection
  ) throws -> [StrandedLinks] {
    let removed = Set(droppedEntities.compactMap { sourceLayout.numbering.name(of: Int($0)) })
    if removed.isEmpty { return [] }
    let numbers = droppedEntities.sorted().map(String.init).joined(separator: ", ")
    let keys = actions.flatMap { keptKeys($0, model) } + relinked.flatMap(keptKeys)
    return try keys.compactMap { key in
      guard let other = sourceLayout.table(of: key.entity),
        !removed.isDisjoint(with: sourceLayout.numbering.tree(of: other.rootEntity))
      else { return nil }
      let rows = try NamedRows(
        key.rows,
        """
        SELECT DISTINCT \(quoteIdentifier(key.rowColumn)) FROM \(quoteIdentifier(key.table)) AS link
        WHERE \(key.rowColumn == "Z_PK" ? "Z_ENT NOT IN (\(numbers)) AND " : "")EXISTS (
          SELECT 1 FROM \(quoteIdentifier(other.name)) AS other
          WHERE other.Z_PK = link.\(quoteIdentifier(key.column)) AND other.Z_ENT IN (\(numbers)))
        ORDER BY 1
        """, connection)
      return rows.count > 0 ? StrandedLinks(relationship: key.relationship, rows: rows) : nil
    }
  }

  /// A column of the source with the keys of linked rows, which the new store has too.
  private struct KeptKey {
    let table: String
    let column: String

    /// The entity whose keys are in the column.
    let entity: String
    let relationship: String

    /// The entity that stands for the rows at the other end.
    let rows: String

    /// The column with the keys of those rows.
    let rowColumn: String
  }

  private func keptKeys(_ links: RelinkedLinks) -> [KeptKey] {
    let entities = links.tables.map { name in
      sourceLayout.tables.first { $0.name == name }?.rootEntity ?? ""
    }
    return links.origins.flatMap { origin -> [KeptKey] in
      [0, 1].filter { origin.place.keys[$0] != "Z_PK" }.map { index -> KeptKey in
        KeptKey(
          table: origin.place.table, column: origin.place.keys[index], entity: entities[index],
          relationship: links.object, rows: entities[1 - index],
          rowColumn: origin.place.keys[1 - index])
      }
    }
  }

  private func keptKeys(_ action: TableAction, _ model: Model) -> [KeptKey] {
    guard let name = action.sourceTable else { return [] }
    if let join = sourceLayout.joinTables.first(where: { $0.name == name }) {
      return [(join.first, join.second), (join.second, join.first)].map { side, other in
        KeptKey(
          table: name, column: side.keyColumn, entity: side.entity,
          relationship: "\(other.entity).\(other.relationship)", rows: other.entity,
          rowColumn: other.keyColumn)
      }
    }
    guard let table = sourceLayout.tables.first(where: { $0.name == name }) else { return [] }
    let read = action.keyColumns
    return table.columns.filter { read?.contains($0.name) ?? true }.compactMap { column in
      guard let (relationship, entity) = model.link(in: column) else { return nil }
      return KeptKey(
        table: name, column: column.name, entity: entity, relationship: relationship,
        rows: table.rootEntity, rowColumn: "Z_PK")
    }
  }
}

extension TableAction {
  /// The source's columns that links of an entity's table come from; `nil` if all are copied.
  fileprivate var keyColumns: Set<String>? {
    guard case .rewrite(let rows) = self else { return nil }
    let places = zip(rows.table.columns, rows.cells).flatMap { column, cell -> [Int] in
      switch column.content {
      case .foreignKey, .inverselessKey: rows.columns(of: cell)
      default: []
      }
    }
    return Set(
      places.compactMap { place in
        switch rows.sourceColumns[place] {
        case .named(let name): name
        case .derived(let column): column.replaced
        case .isShared, .matchingKey, .computed, .isOf: nil
        }
      })
  }
}
