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

  /// Runs `PRAGMA integrity_check` and returns its findings.
  ///
  /// The check covers pages, indexes, UNIQUE and NOT NULL, and stops at `limit` findings. Up to 28
  /// MiB of pages are cached during the check.
  ///
  /// - Parameters:
  ///   - schema: The schema to check.
  ///   - table: The table to check, with its indexes; `nil` for the whole file.
  ///   - limit: The maximum number of findings.
  /// - Returns: The findings; an empty array if there are none.
  /// - Throws: A ``SQLiteError`` if a page can't be read.
  /// - Complexity: Reads the whole file and searches each index once for each row.
  package func integrityCheck(
    _ schema: String = "main", table: String? = nil, limit: Int = 100
  ) throws(SQLiteError) -> [String] {
    let scope = table.map(quoteIdentifier) ?? "\(max(limit, 1))"
    var cacheSize: CacheSize?
    defer { if let cacheSize { restore(cacheSize) } }
    var lines: [String] = []
    do throws(SQLiteError) {
      cacheSize = try rememberIndexes(schema, asLargeAs: schema, limit: 28_672)
      var statement = try prepare(
        "PRAGMA \(quoteIdentifier(schema)).integrity_check(\(scope))")
      while try statement.step() { lines.append(statement.string(at: 0) ?? "") }
    } catch {
      // Some damage makes the pragma fail instead of returning a finding, as does an index by an
      // order of texts that SQLite doesn't have.
      guard error.isCorrupt || error.isMissingCollation else { throw error }
      lines.append(error.message)
    }
    if lines == ["ok"] { return [] }
    for line in lines {
      if let error = SQLiteError(inFinding: line), error.isIO { throw error }
    }
    // For some pages, the finding doesn't contain the error code.
    if FailedRead.happened(in: handle) { throw .failedRead() }
    return lines
  }
}
