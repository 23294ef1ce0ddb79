import StoreAccess
import Platform
import SQLite
import StoreFormat
import Migrations
import RowRewriting
import StoreProof

/// The rows that an edit wrote, in a database of their own.
///
/// With the snapshot they make the store again that the edit left.
///
/// For each table with a difference it has one of the same name and columns, with the rows that are new or
/// changed, and in `Z_REMOVED` the keys of those that are gone.
struct EditedRows {
  /// The name under which the database is attached.
  static let schema = "edited"

  /// The table of removed rows: the name of their table, their key and entity number.
  static let removed = "Z_REMOVED"

  /// The tables that the edit wrote to.
  let tables: Set<String>

  /// Reads which tables the edit wrote to, and leaves the database attached; it may have been before.
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

  /// Makes a table as the edit left it.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - old: The name under which the snapshot is attached.
  ///   - new: The schema that has the table already, empty.
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
