package import SQLite

/// Assigns new primary keys for the rows of a table.
package struct KeySequence: Hashable, Sendable {
  private let number: Int64
  private let table: String
  private let schema: String

  /// Creates a sequence.
  ///
  /// - Parameters:
  ///   - number: The number of the table's root entity.
  ///   - table: The name of the table.
  ///   - schema: The schema of the store.
  package init(of number: Int64, table: String, schema: String = "main") {
    self.number = number
    self.table = table
    self.schema = schema
  }

  /// Increments `Z_MAX` in `Z_PRIMARYKEY` and returns it, as Core Data does.
  ///
  /// If `Z_MAX` is lower than an existing key, the new key follows the highest existing key.
  ///
  /// - Returns: The new key.
  /// - Throws: A ``SQLiteError`` if the entity has no row in `Z_PRIMARYKEY`, or if writing fails.
  package func next(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    let keys = qualified("Z_PRIMARYKEY", in: schema)
    try connection.execute(
      """
      UPDATE \(keys) SET Z_MAX = max(coalesce(Z_MAX, 0),
        coalesce((SELECT max(Z_PK) FROM \(qualified(table, in: schema))), 0)) + 1 WHERE Z_ENT = ?1
      """, [.integer(number)])
    let key = try connection.value(
      "SELECT Z_MAX FROM \(keys) WHERE Z_ENT = ?1", [.integer(number)])
    guard let key = key?.int64 else {
      // The sum of integers that exceeds 64 bits is a real number: <https://www.sqlite.org/lang_expr.html>
      if key?.double != nil {
        // 19 is `SQLITE_CONSTRAINT`: the key is no integer.
        throw SQLiteError(code: 19, message: "its highest key is taken, so no row can be added")
      }
      throw SQLiteError(code: 1, message: "Z_PRIMARYKEY has no row for entity \(number)")
    }
    return key
  }
}
