import CSQLite

extension Connection {
  /// Prepares a single statement; throws if the text has more than one.
  ///
  /// Pass `true` as `isPersistent` for a statement that is kept and run many times: SQLite then
  /// doesn't allocate it from lookaside memory.
  package func prepare(
    _ sql: String, isPersistent: Bool = false
  ) throws(SQLiteError) -> Statement {
    let (prepared, rest) = try prepareFirst(of: script(sql), isPersistent: isPersistent)
    guard let prepared else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "no statement", sql: sql)
    }
    let statement = Statement(handle: prepared)
    if let another = try prepareFirst(of: rest, isPersistent: false).statement {
      sqlite3_finalize(another)
      throw SQLiteError(code: SQLITE_MISUSE, message: "more than one statement", sql: sql)
    }
    return statement
  }

  /// Runs the statements of a script in order, until one fails.
  package func execute(_ sql: String) throws(SQLiteError) {
    var rest = try script(sql)
    while !rest.isEmpty {
      let prepared: OpaquePointer?
      (prepared, rest) = try prepareFirst(of: rest, isPersistent: false)
      // White space and comments prepare to no statement.
      guard let prepared else { continue }
      var statement = Statement(handle: prepared)
      try statement.run()
    }
  }

  /// Runs a single statement with parameter values.
  package func execute(_ sql: String, _ values: [Value]) throws(SQLiteError) {
    try withStatement(sql, values) { (statement) throws(SQLiteError) in try statement.run() }
  }

  /// Returns all rows of a query.
  package func rows(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> [[Value]] {
    var statement = try prepare(sql)
    try statement.bind(values)
    var rows: [[Value]] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.value(at: $0) })
    }
    return rows
  }

  /// Returns the first column of a query's first row, or `nil` if the query has no rows.
  package func value(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> Value? {
    try withStatement(sql, values) { (statement) throws(SQLiteError) in
      try statement.step() ? statement.value(at: 0) : nil
    }
  }

  /// Runs a PRAGMA and returns its first value, or NULL if it has none.
  ///
  /// `text` is the part after `PRAGMA`, such as `user_version` or `journal_mode = DELETE`.
  @discardableResult
  package func pragma(_ text: String) throws(SQLiteError) -> Value {
    var statement = try prepare("PRAGMA " + text)
    guard try statement.step() else { return .null }
    let value = statement.value(at: 0)
    // Some pragmas, such as `wal_checkpoint`, do their work row by row.
    while try statement.step() {}
    return value
  }

  /// The number of rows that the last `INSERT`, `UPDATE` or `DELETE` changed, without triggers.
  package var changes: Int64 { sqlite3_changes64(handle) }

  private func script(_ sql: String) throws(SQLiteError) -> ArraySlice<UInt8> {
    // SQLite would silently stop at a NUL.
    let limit = Int(sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, -1))
    guard !sql.utf8.contains(0), sql.utf8.count <= limit else {
      throw SQLiteError(code: SQLITE_TOOBIG, message: "the statement is too long or contains NUL")
    }
    return Array(sql.utf8)[...]
  }

  /// Prepares the first statement of a script, and returns it with the rest of the script.
  private func prepareFirst(
    of sql: ArraySlice<UInt8>, isPersistent: Bool
  ) throws(SQLiteError) -> (statement: OpaquePointer?, rest: ArraySlice<UInt8>) {
    let flags = isPersistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    var statement: OpaquePointer?
    var code = SQLITE_OK
    let used = sql.withUnsafeBufferPointer { buffer -> Int in
      guard let start = buffer.baseAddress else { return 0 }
      return start.withMemoryRebound(to: CChar.self, capacity: buffer.count) { start in
        var tail: UnsafePointer<CChar>?
        code = sqlite3_prepare_v3(handle, start, Int32(buffer.count), flags, &statement, &tail)
        return tail.map { $0 - start } ?? buffer.count
      }
    }
    guard code == SQLITE_OK else {
      throw SQLiteError(code, in: handle, sql: String(decoding: sql, as: UTF8.self))
    }
    return (statement, sql.dropFirst(used))
  }
}
