package import SQLite

extension RowProgram.KeyLookup {
  /// The expression that gives the key.
  ///
  /// That of the one row with the name or, of several, the one that the row is linked to; else
  /// NULL.
  package var expression: String {
    let name = quoteIdentifier(column)
    // A UUID is written in either case; every other name as it is.
    let spelt = isUUID ? "upper(\(name))" : name
    let linked = link.map { " WHEN max(key IS \(quoteIdentifier($0))) THEN \(quoteIdentifier($0))" }
    return """
      (SELECT CASE WHEN count(*) = 1 THEN min(key)\(linked ?? "") END
      FROM temp.\(namesTable) WHERE name = \(spelt))
      """
  }

  /// Lists the names that rows have, with their keys.
  package func prepare(_ connection: borrowing Connection, schema: String) throws(SQLiteError) {
    let numbers = entityNumbers.map(String.init).joined(separator: ", ")
    let column = quoteIdentifier(nameColumn)
    try connection.execute("DROP TABLE IF EXISTS temp.\(namesTable)")
    try connection.execute(
      "CREATE TEMP TABLE \(namesTable) (name, key INTEGER, PRIMARY KEY (name, key)) WITHOUT ROWID")
    try connection.execute(
      """
      INSERT INTO temp.\(namesTable) SELECT \(isUUID ? Self.uuidText(column) : column), Z_PK
      FROM \(qualified(table, in: schema)) WHERE Z_ENT IN (\(numbers))
      AND \(isUUID ? "typeof(\(column)) = 'blob' AND length(\(column)) = 16" : "\(column) <> ''")
      """)
  }

  private var namesTable: String { quoteIdentifier("names \(table) \(nameColumn)") }

  /// The usual spelling of a UUID's 16 bytes, in upper case.
  private static func uuidText(_ column: String) -> String {
    [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)]
      .map { "substr(hex(\(column)), \($0), \($1))" }.joined(separator: " || '-' || ")
  }
}
