package import CSQLite

/// A prepared statement, which can be run any number of times.
///
/// Parameters are counted from 1 and columns from 0, as SQLite does. What a column returns belongs
/// to the row that the last ``step()`` led to.
///
/// Related SQLite documentation: <https://www.sqlite.org/c3ref/stmt.html>
package struct Statement: ~Copyable {
  @usableFromInline let handle: OpaquePointer

  /// The number of columns of a row; zero for a statement that returns none.
  package let columnCount: Int

  /// The values of the present row, asked for once; NULL where there is none.
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

  /// The statement as it was written, without the values bound to it.
  package var sql: String {
    sqlite3_sql(handle).map { String(cString: $0) } ?? ""
  }

  /// A Boolean value indicating whether running the statement leaves the file as it is.
  package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// The most bytes that a text, a blob or a row may have.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/limits.html>
  package var longestValue: Int {
    Int(sqlite3_limit(sqlite3_db_handle(handle), SQLITE_LIMIT_LENGTH, -1))
  }

  /// Moves on to the next row and returns whether there is one.
  ///
  /// After the last row the statement is ready to be run again.
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
      throw error
    }
  }

  private func reset() {
    sqlite3_reset(handle)
    for column in 0..<columnCount { cells[column] = Self.null }
  }

  /// Runs the statement to its end, ignoring rows.
  package mutating func run() throws(SQLiteError) {
    while try step() {}
  }

  /// Sets all parameters to NULL.
  package mutating func clearBindings() {
    sqlite3_clear_bindings(handle)
  }

  func failure(_ code: Int32) -> SQLiteError {
    SQLiteError(code, in: sqlite3_db_handle(handle), sql: sql)
  }
}
