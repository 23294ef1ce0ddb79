import CSQLite

extension Connection {
  /// Keeps temporary tables in files, and no more than 512 KiB of the main file's pages.
  ///
  /// A table that is read once needs no more: memory that is used for the first time costs more than to
  /// read a page again.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/pragma.html#pragma_cache_size>,
  /// <https://www.sqlite.org/pragma.html#pragma_temp_store>
  public func keepLittleInMemory() throws(SQLiteError) {
    try execute("PRAGMA temp_store = FILE; PRAGMA cache_size = -512")
  }

  /// Makes room for the pages of a file's indexes, which have about a fortieth of a store's bytes.
  ///
  /// An index that fits needn't be read again for every row.
  ///
  /// - Parameters:
  ///   - schema: The name under which the file is open.
  ///   - store: The name of the file that is as large as this one, or will be.
  ///   - limit: The most to remember, in KiB.
  public func rememberIndexes(
    _ schema: String, asLargeAs store: String, limit: Int64
  ) throws(SQLiteError) {
    let store = quoteIdentifier(store)
    let pages = try pragma("\(store).page_count").int64 ?? 0
    let bytes = try pages * (pragma("\(store).page_size").int64 ?? 0)
    let kibibytes = min(max(bytes / 32_768, 512), limit)
    try pragma("\(quoteIdentifier(schema)).cache_size = -\(kibibytes)")
  }

  /// Limits what a statement that a stranger's schema is part of may cost.
  ///
  /// The lengths of values and statements and the depth of expressions stay what they are: stores need
  /// them. Related SQLite documentation: <https://www.sqlite.org/security.html>
  func lowerLimits() {
    let limits: [(number: Int32, value: Int32)] = [
      // A row of 2,000 columns takes some thousand instructions.
      (SQLITE_LIMIT_VDBE_OP, 1_000_000),
      (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
      (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
      (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
    for limit in limits { sqlite3_limit(handle, limit.number, limit.value) }
  }
}
