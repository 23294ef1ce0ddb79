import SQLite

/// A table or an index, as `sqlite_schema` has it.
struct SchemaRow: Sendable {
  let type: String?
  let name: String
  let table: String
  let root: UInt32
  let sql: String?

  static func all(
    _ connection: borrowing Connection, schema: String = "main"
  ) throws -> [String: SchemaRow] {
    let rows = try connection.rows(
      """
      SELECT type, name, tbl_name, rootpage, sql FROM \(quoteIdentifier(schema)).sqlite_schema
      WHERE rootpage > 0
      """)
    return Dictionary(
      rows.map { row in
        let name = row[1].string ?? ""
        return (
          name,
          SchemaRow(
            type: row[0].string, name: name, table: row[2].string ?? "",
            root: row[3].int64.flatMap(UInt32.init(exactly:)) ?? 0, sql: row[4].string)
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether an index may have fewer entries than its table has rows.
  var isPartial: Bool { sql?.uppercased().contains("WHERE") == true }

  /// Returns whether another row declares the same table or index.
  func declares(_ other: SchemaRow) -> Bool {
    type == other.type && table == other.table && sql == other.sql
  }
}
