import CSQLite

extension Connection {
  /// Copies all pages of a database that another connection has open, replacing this database.
  ///
  /// The copy includes the frames in the other database's write-ahead log.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/backup.html>
  ///
  /// - Parameters:
  ///   - other: The connection to copy from. It must not be in a write transaction.
  ///   - schema: The schema to copy.
  /// - Throws: A ``SQLiteError`` if a page can't be read or written.
  /// - Complexity: O(*n*) in the number of pages.
  package func copyPages(
    of other: borrowing Connection, schema: String = "main"
  ) throws(SQLiteError) {
    guard let backup = sqlite3_backup_init(handle, "main", other.handle, schema) else {
      throw SQLiteError(sqlite3_errcode(handle), in: handle)
    }
    let result = sqlite3_backup_step(backup, -1)
    let finished = sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE else {
      throw SQLiteError(finished == SQLITE_OK ? result : finished, in: handle)
    }
  }
}
