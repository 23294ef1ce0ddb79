/// The prepared statements of a connection that are run again and again, by their text.
///
/// Preparing takes several times as long as running a statement that changes one row.
final class StatementCache {
  /// A statement that no closure of ``Connection/withStatement(_:_:_:)`` uses.
  private final class Kept {
    var statement: Statement

    init(_ statement: consuming Statement) { self.statement = statement }

    /// Binds values and runs a closure, after which the statement is at no row.
    func run<Result>(
      _ values: [Value], _ body: (inout Statement) throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
      try statement.run(values, body)
    }
  }

  /// The maximum number of statements; 0 if none are kept.
  var limit = 0

  private var statements: [String: Kept] = [:]

  /// Runs a closure with a statement, kept or new.
  func withStatement<Result>(
    _ sql: String, _ values: [Value], _ connection: borrowing Connection,
    _ body: (inout Statement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    guard limit > 0 else {
      var statement = try connection.prepare(sql)
      return try statement.run(values, body)
    }
    // A closure that runs the same text meanwhile gets another statement.
    let kept = try take(sql, connection)
    defer {
      // Texts that differ each time would otherwise fill the memory.
      if statements.count >= limit { statements.removeAll(keepingCapacity: true) }
      statements[sql] = kept
    }
    return try kept.run(values, body)
  }

  private func take(
    _ sql: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Kept {
    if let kept = statements.removeValue(forKey: sql) { return kept }
    return Kept(try connection.prepare(sql, isPersistent: true))
  }
}

extension Statement {
  /// Binds values and runs a closure, after which the statement is at no row.
  fileprivate mutating func run<Result>(
    _ values: [Value], _ body: (inout Statement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    defer { reset() }
    try bind(values)
    return try body(&self)
  }
}

extension Connection {
  /// Keeps statements of the functions that take values, and those of transactions.
  package func keepStatements(limit: Int) { cache.limit = limit }

  /// Runs a closure with a statement, to whose parameters values are bound.
  package func withStatement<Result>(
    _ sql: String, _ values: [Value] = [],
    _ body: (inout Statement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try cache.withStatement(sql, values, self, body)
  }
}
