package import CSQLite

/// A prepared statement, which can run any number of times.
///
/// Parameters are numbered from 1 and columns from 0, as in SQLite. Column values belong to the row
/// of the last ``step()``.
///
/// Related SQLite documentation: <https://www.sqlite.org/c3ref/stmt.html>
package struct Statement: ~Copyable {
  @usableFromInline let handle: OpaquePointer

  /// The number of result columns; 0 if the statement returns no rows.
  package let columnCount: Int

  /// The values of the current row, read once for each step; NULL without a row.
  @usableFromInline let cells: UnsafeMutablePointer<csqlite_cell>

  init(handle: OpaquePointer) {
    self.handle = handle
    columnCount = Int(sqlite3_column_count(handle))
    cells = .allocate(capacity: columnCount)
    cells.initialize(repeating: Self.null, count: columnCount)
  }

  deinit {
    sqlite3_finalize(handle)
    cells.deallocate()
  }

  private static var null: csqlite_cell { csqlite_cell(type: SQLITE_NULL, word: 0, bytes: nil) }

  /// The SQL text, without parameter values.
  package var sql: String {
    sqlite3_sql(handle).map { String(cString: $0) } ?? ""
  }

  /// Whether running the statement doesn't change the database.
  package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// The maximum size of a text, blob or row, in bytes.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/limits.html>
  package var longestValue: Int {
    Int(sqlite3_limit(sqlite3_db_handle(handle), SQLITE_LIMIT_LENGTH, -1))
  }

  /// Steps to the next row and returns `false` if there isn't one.
  ///
  /// After the last row, the statement is reset and can run again.
  package mutating func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW:
      csqlite_read_row(handle, cells, Int32(truncatingIfNeeded: columnCount))
      return true
    case SQLITE_DONE:
      reset()
      return false
    case let code:
      let error = failure(code)
      reset()
      throw error.withoutValues
    }
  }

  func reset() {
    sqlite3_reset(handle)
    for column in 0..<columnCount { cells[column] = Self.null }
  }

  /// Runs the statement to completion, ignoring rows.
  package mutating func run() throws(SQLiteError) {
    while try step() {}
  }

  /// Binds NULL to all parameters.
  package mutating func clearBindings() {
    sqlite3_clear_bindings(handle)
  }

  func failure(_ code: Int32) -> SQLiteError {
    SQLiteError(code, in: sqlite3_db_handle(handle), sql: sql)
  }
}
