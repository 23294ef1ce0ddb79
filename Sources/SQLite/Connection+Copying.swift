import CSQLite

extension Connection {
  /// Copies every page of a database, as another connection sees it, over this one's.
  ///
  /// What is in the other's write-ahead log is copied too; what this one had is gone.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/backup.html>
  ///
  /// - Parameters:
  ///   - other: The connection to copy from; it isn't in a transaction that writes.
  ///   - schema: The name under which the other has the database open.
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
