import CSQLite

extension Connection {
  /// Prepares one statement; more than one is an error.
  ///
  /// A persistent one will be kept and run many times, and SQLite gives it memory accordingly.
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

  /// Runs the statements of a script, one after the other, until one fails.
  package func execute(_ sql: String) throws(SQLiteError) {
    var rest = try script(sql)
    while !rest.isEmpty {
      let prepared: OpaquePointer?
      (prepared, rest) = try prepareFirst(of: rest, isPersistent: false)
      // A comment or white space prepares to nothing.
      guard let prepared else { continue }
      var statement = Statement(handle: prepared)
      try statement.run()
    }
  }

  /// Runs one statement with values for its parameters.
  package func execute(_ sql: String, _ values: [Value]) throws(SQLiteError) {
    var statement = try prepare(sql)
    try statement.bind(values)
    try statement.run()
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

  /// Returns the first column of a query's first row, or nil where there is no row.
  package func value(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> Value? {
    var statement = try prepare(sql)
    try statement.bind(values)
    return try statement.step() ? statement.value(at: 0) : nil
  }

  /// Runs a PRAGMA and returns the first value it answers, or NULL where it answers nothing.
  ///
  /// The text is what follows the word: `user_version`, `journal_mode = DELETE`.
  @discardableResult
  package func pragma(_ text: String) throws(SQLiteError) -> Value {
    var statement = try prepare("PRAGMA " + text)
    guard try statement.step() else { return .null }
    let value = statement.value(at: 0)
    // Some do their work row by row.
    while try statement.step() {}
    return value
  }

  /// The rows inserted, updated or deleted by the last statement that did so, triggers aside.
  package var changes: Int64 { sqlite3_changes64(handle) }

  private func script(_ sql: String) throws(SQLiteError) -> ArraySlice<UInt8> {
    // SQLite stops at a NUL and wouldn't say so.
    let limit = Int(sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, -1))
    guard !sql.utf8.contains(0), sql.utf8.count <= limit else {
      throw SQLiteError(code: SQLITE_TOOBIG, message: "a statement is too long or has a NUL")
    }
    return Array(sql.utf8)[...]
  }

  /// Prepares what comes first in a script and returns it with the rest.
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
