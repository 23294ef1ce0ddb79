import StoreAccess
import Platform
import SQLite

/// The rows that an edit wrote, in a separate database.
///
/// Snapshot and edited rows together give the store as the edit left it. For each table that
/// differs, the database has a table of the same name and columns with the new and changed rows.
/// `Z_REMOVED` has the keys of the removed rows.
struct EditedRows {
  /// The schema name of the attached database.
  static let schema = "edited"

  /// The table of removed rows, with the name of their table, their key and entity number.
  static let removed = "Z_REMOVED"

  /// The tables that the edit wrote to.
  let tables: Set<String>

  /// Reads which tables the edit wrote to; attaches the database unless it is attached already.
  init(attaching file: NestedFile, _ connection: borrowing Connection) throws {
    let attached = try connection.rows("PRAGMA database_list").map { $0[1].string }
    if !attached.contains(Self.schema) {
      try connection.attach(file, as: Self.schema, mode: .immutable)
    }
    let written = try connection.rows(
      """
      SELECT name FROM \(Self.schema).sqlite_schema WHERE type = 'table' AND name <> '\(Self.removed)'
      UNION SELECT ZTABLE FROM \(Self.schema).\(Self.removed)
      """)
    tables = Set(written.compactMap { $0[0].string })
  }

  /// Fills a table with its rows as the edit left them.
  ///
  /// - Parameters:
  ///   - table: The table's name.
  ///   - old: The schema name of the snapshot.
  ///   - new: The schema that has the table, still empty.
  ///   - connection: The connection.
  /// - Throws: A `SQLiteError` if a row can't be read or written.
  func fill(
    _ table: String, from old: String, into new: String, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let (before, after) = (qualified(table, in: old), qualified(table, in: new))
    let edited = qualified(table, in: Self.schema)
    let hasRows =
      try connection.value(
        "SELECT 1 FROM \(Self.schema).sqlite_schema WHERE name = ?1", [.text(table)]) != nil
    let isWritten =
      hasRows ? "OR EXISTS (SELECT 1 FROM \(edited) AS e WHERE e.Z_PK = o.Z_PK)" : ""
    try connection.execute(
      """
      INSERT INTO \(after) SELECT o.* FROM \(before) AS o WHERE NOT (EXISTS
      (SELECT 1 FROM \(Self.schema).\(Self.removed) WHERE ZTABLE = ?1 AND ZKEY = o.Z_PK) \(isWritten))
      """, [.text(table)])
    if hasRows { try connection.execute("INSERT INTO \(after) SELECT * FROM \(edited)") }
  }
}
