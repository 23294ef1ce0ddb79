package import SQLite

/// The keys that a store hands out for the rows of a table, none of them twice.
package struct KeySequence: Hashable, Sendable {
  private let number: Int64
  private let table: String
  private let schema: String

  /// - Parameters:
  ///   - number: The number of the table's root entity.
  ///   - table: The table's name.
  ///   - schema: The name under which the store is open.
  package init(of number: Int64, table: String, schema: String = "main") {
    self.number = number
    self.table = table
    self.schema = schema
  }

  /// Takes the next key from `Z_PRIMARYKEY`, as Core Data does.
  ///
  /// A highest key there that is lower than that of some row is raised past it.
  ///
  /// - Returns: The key.
  /// - Throws: A `SQLiteError` if the entity has no row in `Z_PRIMARYKEY`, or it can't be written.
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
      throw SQLiteError(code: 1, message: "Z_PRIMARYKEY has no row for entity \(number)")
    }
    return key
  }
}
