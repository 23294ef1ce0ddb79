import CSQLite

extension Connection {
  /// The moment a transaction takes its locks.
  package enum TransactionKind: String, Hashable, Sendable {
    /// Locks when it first reads, and again when it first writes.
    case deferred = "DEFERRED"

    /// Locks out other writers at once.
    case immediate = "IMMEDIATE"

    /// Locks out other readers too, outside of WAL mode.
    case exclusive = "EXCLUSIVE"
  }

  /// A Boolean value indicating whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Opens a transaction.
  package func begin(_ kind: TransactionKind = .immediate) throws(SQLiteError) {
    try execute("BEGIN \(kind.rawValue)")
  }

  /// Makes what the open transaction did permanent.
  package func commit() throws(SQLiteError) {
    try execute("COMMIT")
  }

  /// Takes back what the open transaction did; does nothing if there is none.
  package func rollback() throws(SQLiteError) {
    // A full disk or a failed write may have rolled back already (lang_transaction.html §3).
    if isInTransaction { try execute("ROLLBACK") }
  }

  /// Runs statements as one: all of them, or, if the body throws, none.
  package func transaction<Result: ~Copyable>(
    _ kind: TransactionKind = .immediate,
    _ body: (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try transaction(kind, wrapping: { $0 }, body)
  }

  /// Runs statements as one, in a body that throws an error of its own.
  ///
  /// SQLite's own failure to begin or to commit is thrown as `wrap` returns it.
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
      // The first failure is the one to tell.
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
