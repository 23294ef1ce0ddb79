import CSQLite

extension Connection {
  /// Copies the WAL into the database file and truncates it.
  ///
  /// Does nothing in other journal modes.
  ///
  /// - Throws: An error with ``SQLiteError/isBusy`` if a reader or writer blocks the checkpoint.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>
  package func walCheckpointTruncate() throws(SQLiteError) {
    // Until its first read, a connection doesn't know that the database is in WAL mode.
    try pragma("schema_version")
    let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    guard code == SQLITE_OK else {
      throw SQLiteError(code, in: handle, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  /// Empties the page cache of all attached files, so that later reads come from the disk.
  ///
  /// Pages in use stay: those of running statements, modified pages and, in a transaction, page 1
  /// of each file.
  ///
  /// The corresponding C function is `sqlite3_db_release_memory`.
  package func forgetPages() {
    sqlite3_db_release_memory(handle)
    var number: Int32 = 0
    while let schema = sqlite3_db_name(handle, number) {
      sqlite3_file_control(handle, schema, CSQLITE_FCNTL_FORGET, nil)
      number += 1
    }
  }
}
