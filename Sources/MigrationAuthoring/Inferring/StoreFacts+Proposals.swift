import SQLite
import Migrations
import StoreModel
import StoreProof

/// What the values of a store say about changes of type.
extension StoreFacts {
  /// The most distinct values that a proposed table has.
  private static let tableLimit = 20

  /// Returns the questions about types with how many values can be read, and an example for them.
  ///
  /// - Complexity: O(n) in the number of rows, in constant memory.
  func proposals(
    for questions: [OpenQuestion], showsValues: Bool, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [OpenQuestion: OpenQuestion] {
    try connection.define(FormulaFunctions.all)
    var proposals: [OpenQuestion: OpenQuestion] = [:]
    for question in questions {
      guard let change = question.change else { continue }
      proposals[question] = try proposal(question, change, showsValues: showsValues, connection)
    }
    return proposals
  }

  private func proposal(
    _ question: OpenQuestion, _ change: AttributeChange, showsValues: Bool,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> OpenQuestion? {
    guard let column = column(of: change.source), let rows = rows(of: change.source.entity) else {
      return nil
    }
    let readings = change.readings(of: column)
    let counts = ([column] + readings.map(\.sql)).map { "count(\($0))" }.joined(separator: ", ")
    var statement = try connection.prepare("SELECT \(counts) \(rows)")
    guard try statement.step(), statement.int64(at: 0) > 0 else { return nil }
    let total = statement.int64(at: 0)
    let read = readings.indices.map { statement.int64(at: $0 + 1) }
    let most = read.max() ?? 0
    var clauses: [String] = []
    var examples: [String] = []
    if !read.isEmpty {
      clauses.append("'retype' reads \(most) of \(counted(total, "value", "values"))")
    }
    // Of several forms that read as many values, the first.
    if most > 0, let best = read.firstIndex(of: most) {
      examples.append(
        change.retyping(format: readings[best].format, leavesValues: most < total))
    } else if let converting = change.converting {
      examples.append(converting)
    }
    if change.isMappable, most < total || change.leadsToText,
      let keys = try distinctValues(column, rows, of: total, connection)
    {
      clauses.append(
        "'map' can name \(counted(Int64(keys.count), "distinct value", "distinct values"))")
      let isShown = showsValues && keys.allSatisfy { isShowable($0, of: change.source) }
      examples.append(change.mapping(isShown ? keys : nil))
    }
    guard !clauses.isEmpty else { return nil }
    return question.adding(
      clauses.joined(separator: "; "),
      example: examples.isEmpty ? change.fallback : examples.joined(separator: " or "))
  }

  /// Returns the distinct values as keys of a table, in order.
  ///
  /// - Returns: `nil` if there are too many for an enumeration, or one has more than 256 characters
  ///   or is no text.
  private func distinctValues(
    _ column: String, _ rows: String, of total: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String]? {
    var keys: [String] = []
    var statement = try connection.prepare(
      """
      SELECT DISTINCT substr(\(column), 1, 257) \(rows) AND \(column) IS NOT NULL
      LIMIT \(Self.tableLimit + 1)
      """)
    while try statement.step() {
      guard let key = statement.value(at: 0).string, key.count <= 256 else { return nil }
      keys.append(key)
    }
    // In an enumeration, values repeat.
    guard keys.count <= Self.tableLimit, Int64(keys.count) * 2 <= total else { return nil }
    return keys.sorted { (Int64($0) ?? .max, $0) < (Int64($1) ?? .max, $1) }
  }

  /// Returns whether a value isn't a secret, by the attribute's name and by what a text mentions.
  private func isShowable(_ key: String, of path: PropertyPath) -> Bool {
    let mask = ValueMask(key: [], showsValues: true)
    return mask.fingerprint(of: .text(Array(key.utf8)), named: path.description).revealed
      == .text(key)
  }
}
