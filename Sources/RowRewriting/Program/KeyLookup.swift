import SQLite

extension RowProgram.KeyLookup {
  /// The SQL expression for the key.
  ///
  /// It is the key of the only row with the name. If several rows have the name, it is the key of
  /// the one that the row is linked to already. Otherwise it is NULL.
  package var expression: String {
    let name = quoteIdentifier(column)
    // A text may spell a UUID in either case. Other names are compared exactly.
    let spelt = isUUID ? "upper(\(name))" : name
    let linked = link.map { " WHEN max(key IS \(quoteIdentifier($0))) THEN \(quoteIdentifier($0))" }
    return """
      (SELECT CASE WHEN count(*) = 1 THEN min(key)\(linked ?? "") END
      FROM temp.\(namesTable) WHERE name = \(spelt))
      """
  }

  /// Returns the statements that create a temporary table with the names of rows and their keys.
  func preparation(schema: String) -> [SQLStatement] {
    let numbers = entityNumbers.map(String.init).joined(separator: ", ")
    let column = quoteIdentifier(nameColumn)
    let staying = losesRows ? " AND \(RowRemovals.staying(in: table))" : ""
    return [
      SQLStatement("DROP TABLE IF EXISTS temp.\(namesTable)"),
      SQLStatement(
        "CREATE TEMP TABLE \(namesTable) (name, key INTEGER, PRIMARY KEY (name, key)) WITHOUT ROWID"
      ),
      SQLStatement(
        """
        INSERT INTO temp.\(namesTable) SELECT \(isUUID ? Self.uuidText(column) : column), Z_PK
        FROM \(qualified(table, in: schema)) WHERE Z_ENT IN (\(numbers))
        AND \(isUUID ? "typeof(\(column)) = 'blob' AND length(\(column)) = 16" : "\(column) <> ''")\(staying)
        """),
    ]
  }

  private var namesTable: String { quoteIdentifier("names \(table) \(nameColumn)") }

  /// Returns an SQL expression for the text of a UUID's 16 bytes, in upper case.
  private static func uuidText(_ column: String) -> String {
    [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)]
      .map { "substr(hex(\(column)), \($0), \($1))" }.joined(separator: " || '-' || ")
  }
}
