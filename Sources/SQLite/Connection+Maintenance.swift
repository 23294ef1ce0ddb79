import CSQLite

extension Connection {
  /// Moves everything from the WAL into the file and empties the WAL.
  ///
  /// Throws an error that ``SQLiteError/isBusy`` where a reader or writer is in the way. Does
  /// nothing outside of WAL mode.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>
  package func walCheckpointTruncate() throws(SQLiteError) {
    // Before its first read, a connection doesn't know of the WAL and would do nothing.
    try pragma("schema_version")
    let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    guard code == SQLITE_OK else {
      throw SQLiteError(code, in: handle, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  /// Forgets the pages that were read, of all attached files: what is read next comes from the files.
  ///
  /// Pages in use stay: those that a statement stands on, changed ones, and in a transaction each file's first.
  /// The corresponding C function is `sqlite3_db_release_memory`.
  package func forgetPages() {
    sqlite3_db_release_memory(handle)
    var number: Int32 = 0
    while let schema = sqlite3_db_name(handle, number) {
      sqlite3_file_control(handle, schema, CSQLITE_FCNTL_FORGET, nil)
      number += 1
    }
  }

  /// Returns what is wrong with an attached file: pages, indexes, uniqueness and NOT NULL.
  ///
  /// Stops at `limit` findings. A page that can't be read is no finding but an error. Up to 28 MiB of the
  /// file's pages are remembered meanwhile.
  ///
  /// - Complexity: Reads the whole file and searches every index for every row.
  package func integrityCheck(
    _ schema: String = "main", limit: Int = 100
  ) throws(SQLiteError) -> [String] {
    var cacheSize: CacheSize?
    defer { if let cacheSize { restore(cacheSize) } }
    var lines: [String] = []
    do throws(SQLiteError) {
      cacheSize = try rememberIndexes(schema, asLargeAs: schema, limit: 28_672)
      var statement = try prepare(
        "PRAGMA \(quoteIdentifier(schema)).integrity_check(\(max(limit, 1)))")
      while try statement.step() { lines.append(statement.string(at: 0) ?? "") }
    } catch {
      // Some damage ends the search instead of being found by it.
      guard error.isCorrupt else { throw error }
      lines.append(error.message)
    }
    if lines == ["ok"] { return [] }
    for line in lines {
      if let error = SQLiteError(inFinding: line), error.isIO { throw error }
    }
    // Of some pages SQLite only says that it failed.
    if FailedRead.happened(in: handle) { throw .failedRead() }
    return lines
  }
}
