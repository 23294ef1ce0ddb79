import CSQLite

/// What SQLite finds in a text that should be a ``ScalarExpression``.
struct ExpressionReview {
  /// The values that the expression reads.
  let names: Set<ScalarExpression.Name>

  /// What is wrong, if anything.
  let mistake: ScalarExpression.Mistake?

  /// Prepares the expression over empty tables of the names.
  init(
    of text: String, over values: [String], _ scopes: [String: [String]],
    _ functions: [ScalarFunction]
  ) throws(SQLiteError) {
    guard !text.utf8.contains(0), !scopes.keys.contains(where: { $0.utf8.contains(0) }) else {
      (names, mistake) = ([], .init(reason: "a text with NUL isn't SQL", offset: nil))
      return
    }
    // An expression that is right stays so when the run is to end.
    let connection = try Connection.unstoppable()
    try connection.define(functions)
    let allowed = ScalarExpression.functions.union(functions.map(\.name))
    try connection.createTable(Self.row, values)
    for (name, values) in scopes { try connection.createTable(name, values) }
    let tables = scopes.mapValues { Set($0) }.merging([Self.row: Set(values)]) { $1 }
    let plain = Authorizer(tables: tables, functions: allowed)
    _ = plain.prepare(Self.query("NULL", scopes.keys.sorted()), in: connection)
    let authorizer = Authorizer(tables: tables, functions: allowed)
    let failure = authorizer.prepare(Self.query(text, scopes.keys.sorted()), in: connection)
      .map { Self.failure($0, of: text, connection) }
    names = Set(
      authorizer.reads.map { .init(scope: $0.table == Self.row ? nil : $0.table, value: $0.column) }
    )
    let isAccepted = authorizer.refusal == nil && failure == nil
    let misuse =
      isAccepted
      ? Authorizer(tables: tables, functions: allowed)
        .prepare(Self.condition(text, scopes.keys.sorted()), in: connection) : nil
    let reason =
      authorizer.refusal ?? failure?.reason
      ?? (authorizer.selects == plain.selects ? nil : "an expression has no subqueries")
      ?? misuse.map { "\($0.reason); an expression is about one row" }
    mistake = reason.map { .init(reason: $0, offset: failure?.offset) }
  }

  /// Returns the failure of a text with its offset in the text, and without words of the query.
  ///
  /// A text with an open quote or parenthesis makes SQLite read, and quote, what follows it.
  private static func failure(
    _ whole: Authorizer.Failure, of text: String, _ connection: borrowing Connection
  ) -> Authorizer.Failure {
    func inText(_ failure: Authorizer.Failure, after prefix: String) -> Authorizer.Failure {
      let offset = failure.offset.map { $0 - prefix.utf8.count }
      return (failure.reason, offset.flatMap { (0...text.utf8.count).contains($0) ? $0 : nil })
    }
    let failure = inText(whole, after: prefix)
    guard whole.offset != nil,
      failure.offset == nil || whole.reason.hasPrefix("unrecognized token"),
      let alone = Authorizer(tables: [:], functions: []).prepare("SELECT\n" + text, in: connection)
    else { return failure }
    return inText(alone, after: "SELECT\n")
  }

  /// The table of the row's own values; no name of an entity or property begins with a space.
  private static let row = " row"
  private static let prefix = "SELECT (SELECT (\n"

  /// Returns a query in which the text isn't a result: `max` of one value is an aggregate there too.
  private static func condition(_ text: String, _ scopes: [String]) -> String {
    """
    SELECT 1 FROM \(rows(of: scopes))
    WHERE (SELECT 1 FROM temp.\(quoteIdentifier(row)) WHERE (\(text)
    ))
    """
  }

  private static func query(_ text: String, _ scopes: [String]) -> String {
    "\(prefix)\(text)\n) FROM temp.\(quoteIdentifier(row))) FROM \(rows(of: scopes))"
  }

  private static func rows(of scopes: [String]) -> String {
    "(SELECT 1)" + scopes.map { " LEFT JOIN temp.\(quoteIdentifier($0))" }.joined()
  }
}

extension Connection {
  fileprivate func createTable(_ name: String, _ columns: [String]) throws(SQLiteError) {
    // A table has at least one column.
    let names = columns.isEmpty ? ["\u{1}"] : columns
    try execute(
      """
      CREATE TEMP TABLE \(quoteIdentifier(name)) (\
      \(names.map(quoteIdentifier).joined(separator: ", ")))
      """)
  }
}

/// Answers what SQLite asks before it prepares each part of a statement.
private final class Authorizer {
  /// Why a query can't be prepared, and where, in bytes.
  typealias Failure = (reason: String, offset: Int?)

  /// The tables that may be read, with their columns.
  let tables: [String: Set<String>]

  /// The names of the functions that may be called, in lowercase.
  let functions: Set<String>

  private(set) var selects = 0
  private(set) var reads: [(table: String, column: String)] = []

  /// The first thing that isn't allowed.
  private(set) var refusal: String?

  init(tables: [String: Set<String>], functions: Set<String>) {
    (self.tables, self.functions) = (tables, functions)
  }

  /// Prepares a query, and returns why that fails.
  func prepare(
    _ sql: String, in connection: borrowing Connection
  ) -> Failure? {
    sqlite3_set_authorizer(
      connection.handle,
      { context, action, first, second, _, _ in
        guard let context else { return SQLITE_DENY }
        let authorizer = Unmanaged<Authorizer>.fromOpaque(context).takeUnretainedValue()
        let words = [first, second].map { $0.map { String(cString: $0) } ?? "" }
        return authorizer.allows(action, words[0], words[1]) ? SQLITE_OK : SQLITE_DENY
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_set_authorizer(connection.handle, nil, nil) }
    do throws(SQLiteError) {
      let statement = try connection.prepare(sql)
      guard statement.columnCount == 1 else { return ("an expression has one value", nil) }
      guard sqlite3_bind_parameter_count(statement.handle) == 0 else {
        return ("an expression has no parameters; write the value", nil)
      }
      return nil
    } catch {
      let offset = sqlite3_error_offset(connection.handle)
      return (error.message, offset < 0 ? nil : Int(offset))
    }
  }

  private func allows(_ action: Int32, _ first: String, _ second: String) -> Bool {
    switch action {
    case SQLITE_SELECT:
      selects += 1
      return true
    case SQLITE_READ:
      if second.isEmpty, tables[first] != nil { return true }
      guard tables[first]?.contains(second) == true else {
        return refuse(
          "an expression reads only attributes, not '\(second.isEmpty ? first : second)'")
      }
      reads.append((first, second))
      return true
    case SQLITE_FUNCTION:
      return functions.contains(second.lowercased())
        || refuse("the function '\(second)' isn't allowed in an expression")
    default: return refuse("an expression only computes a value")
    }
  }

  private func refuse(_ reason: String) -> Bool {
    refusal = refusal ?? reason
    return false
  }
}
