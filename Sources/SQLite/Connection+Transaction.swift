import CSQLite

extension Connection {
  /// When a transaction takes its locks.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/lang_transaction.html>
  package enum TransactionKind: String, Hashable, Sendable {
    /// Takes a read lock at the first read and a write lock at the first write.
    case deferred = "DEFERRED"

    /// Takes the write lock immediately.
    case immediate = "IMMEDIATE"

    /// Like ``immediate``, and outside WAL mode also excludes readers.
    case exclusive = "EXCLUSIVE"
  }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Begins a transaction.
  package func begin(_ kind: TransactionKind = .immediate) throws(SQLiteError) {
    try execute("BEGIN \(kind.rawValue)", [])
  }

  /// Commits the open transaction.
  package func commit() throws(SQLiteError) {
    try execute("COMMIT", [])
  }

  /// Rolls back the open transaction; does nothing if there isn't one.
  package func rollback() throws(SQLiteError) {
    // SQLite rolls back automatically after some errors, such as a full disk (lang_transaction.html
    // §3).
    if isInTransaction { try execute("ROLLBACK") }
  }

  /// Runs a closure in a transaction, and rolls back if the closure throws.
  package func transaction<Result: ~Copyable>(
    _ kind: TransactionKind = .immediate,
    _ body: (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try transaction(kind, wrapping: { $0 }, body)
  }

  /// Runs a closure that throws its own error type in a transaction.
  ///
  /// `wrap` converts SQLite's errors from `BEGIN` and `COMMIT`.
  package func transaction<Result: ~Copyable, Failure: Error>(
    _ kind: TransactionKind = .immediate,
    wrapping wrap: (SQLiteError) -> Failure,
    _ body: (borrowing Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do { try begin(kind) } catch { throw wrap(error) }
    let result: Result
    do throws(Failure) {
      result = try body(self)
    } catch {
      // Report the first error.
      try? rollback()
      throw error
    }
    do throws(SQLiteError) {
      try commit()
    } catch {
      try? rollback()
      throw wrap(error)
    }
    return result
  }
}
