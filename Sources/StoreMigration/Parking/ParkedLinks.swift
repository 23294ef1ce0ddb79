import SQLite
import StoreFormat
import StoreModel

/// The columns of a table that link to rows, and when parked values fit into them.
struct ParkedLinks {
  let table: Table

  /// Returns the schema name of the store's table with a name.
  let schema: (String) -> String

  let layout: StoreLayout
  let model: Model

  /// Returns whether a column has the keys of other rows.
  func isKey(_ column: Column) -> Bool { model.link(in: column) != nil }

  /// Returns whether a column has the entity numbers of other rows.
  func isNumber(_ column: Column) -> Bool {
    if case .entityKey = column.content { true } else { false }
  }

  /// Returns the values with the SQL conditions by which they, as `?1`, lead to a row.
  func conditions(of values: [(ParkedValue, Column)]) -> [(value: ParkedValue, condition: String)] {
    values.compactMap { value, column in condition(of: column).map { (value, $0) } }
  }

  private func condition(of column: Column) -> String? {
    if case .entityKey(let entity, let relationship) = column.content {
      guard let key = table.column(.foreignKey(entity: entity, relationship: relationship)),
        let end = end(of: key)
      else { return nil }
      let own = "\(quoteIdentifier(table.name)).\(quoteIdentifier(key.name))"
      return "?1 IS (SELECT other.Z_ENT FROM \(end) AS other WHERE other.Z_PK = \(own))"
    }
    return end(of: column).map {
      "?1 IS NULL OR EXISTS (SELECT 1 FROM \($0) AS other WHERE other.Z_PK = ?1)"
    }
  }

  /// Returns the table at the other end of a link; `nil` if the column has no keys.
  private func end(of column: Column) -> String? {
    model.link(in: column).flatMap { layout.table(of: $0.entity) }
      .map { qualified($0.name, in: schema($0.name)) }
  }
}
