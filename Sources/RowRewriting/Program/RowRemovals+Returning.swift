import SQLite
package import StoreFormat
package import StoreModel

/// One-to-one links of rows that come back while the other row has another link.
extension RowRemovals {
  /// Returns the statements that empty such links, so that both sides of a link say the same.
  ///
  /// - Parameters:
  ///   - model: The model of the rows that come back.
  ///   - layout: Its layout.
  ///   - old: The schema of the store in which the links were whole.
  ///   - new: The schema of the store to which the rows come back.
  /// - Returns: The statements.
  /// - Precondition: The temporary tables are filled.
  package func emptyingReplacedLinks(
    of model: Model, _ layout: StoreLayout, from old: String, in new: String
  ) -> [String] {
    layout.tables.filter { tables.contains($0.name) }.flatMap { table in
      table.columns.compactMap { column -> String? in
        guard let (other, inverse) = Self.inverse(of: column, in: model, layout) else { return nil }
        let key = quoteIdentifier(column.name)
        func isMutual(in schema: String) -> String {
          """
          EXISTS (SELECT 1 FROM \(qualified(other.name, in: schema)) AS other
            WHERE other.Z_PK = own.\(key) AND other.\(quoteIdentifier(inverse.name)) = own.Z_PK)
          """
        }
        return """
          UPDATE \(qualified(table.name, in: new)) AS own SET \(table.emptying(column))
          WHERE own.Z_PK IN (SELECT key FROM \(Self.keys(of: table.name)))
          AND \(isMutual(in: old)) AND NOT \(isMutual(in: new))
          """
      }
    }
  }

  /// Returns the column of the other side of a one-to-one relationship; `nil` for other columns.
  private static func inverse(
    of column: Column, in model: Model, _ layout: StoreLayout
  ) -> (table: Table, column: Column)? {
    guard case .foreignKey(let entity, let name) = column.content,
      let relationship = model.relationship(named: name, of: entity)?.relationship,
      let inverse = relationship.inverseName.flatMap({
        model.relationship(named: $0, of: relationship.destinationName)
      }), !inverse.relationship.isToMany, let table = layout.table(of: inverse.entity),
      let found = table.column(
        .foreignKey(entity: inverse.entity, relationship: inverse.relationship.name))
    else { return nil }
    return (table, found)
  }
}

extension Table {
  /// Returns the assignments that empty a link: its key, the number of its entity, its position.
  package func emptying(_ column: Column) -> String {
    let contents: [Column.Content] =
      switch column.content {
      case .foreignKey(let entity, let name):
        [
          .entityKey(entity: entity, relationship: name),
          .ordering(entity: entity, relationship: name),
        ]
      case .inverselessKey(let entity, let name):
        [.inverselessOrdering(source: entity, relationship: name)]
      case .primaryKey, .entityNumber, .optimisticLock, .attribute, .entityKey, .ordering,
        .inverselessOrdering:
        []
      }
    return ([column] + contents.compactMap { self.column($0) })
      .map { "\(quoteIdentifier($0.name)) = NULL" }.joined(separator: ", ")
  }
}
