import CSQLite

extension Connection {
  /// Limits the cost of statements over schemas from unknown files.
  ///
  /// The limits for the length of values and statements and for the depth of expressions keep their
  /// defaults, because stores need them.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/security.html>
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

  /// Limits the size of texts, blobs and rows, in bytes; SQLite's own limit stays if it is lower.
  package func limitValues(to count: Int64) {
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: count))
  }
}
