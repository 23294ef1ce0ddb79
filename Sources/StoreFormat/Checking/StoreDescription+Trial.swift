import SQLite

extension StoreDescription {
  /// The names of tables and indexes that their own statements don't create in another file.
  ///
  /// A statement may use a collation or function of the app, or may be manipulated. Each statement
  /// runs in an in-memory database. `execute(_:_:)` accepts a single statement, so appended
  /// statements don't run. A statement that can't be tried counts as one that doesn't run. Plain
  /// statements use nothing of the app, and aren't tried.
  ///
  /// - Complexity: O(*n*): SQLite takes longer to create a table the more tables there are, so each
  ///   database gets a hundred.
  var unmakeable: [String] {
    let indexes = Dictionary(grouping: indexes, by: \.table)
    let tables = tables.filter { table in
      !table.isPlain || indexes[table.name]?.allSatisfy(\.isPlain) == false
    }
    return Self.unmakeable(tables, indexes)
  }

  /// Tries the statements of some tables and of their indexes.
  static func unmakeable(
    _ tables: [TableDescription], _ indexes: [String: [IndexDescription]]
  ) -> [String] {
    var names: [String] = []
    for first in stride(from: 0, to: tables.count, by: 100) {
      let tables = tables[first..<min(first + 100, tables.count)]
      names += unmakeable(tables, tables.flatMap { indexes[$0.name] ?? [] })
    }
    return names
  }

  private static func unmakeable(
    _ tables: ArraySlice<TableDescription>, _ indexes: [IndexDescription]
  ) -> [String] {
    let statements =
      tables.filter { !$0.isVirtual }.map { (name: $0.name, sql: $0.sql, words: ["CREATE TABLE "]) }
      + indexes.compactMap { index in
        index.sql.map {
          (name: index.name, sql: $0, words: ["CREATE INDEX ", "CREATE UNIQUE INDEX "])
        }
      }
    let made = try? made(
      by: statements.filter { $0.words.contains(where: $0.sql.hasPrefix) }.map(\.sql))
    return statements.map(\.name).filter { made?.contains($0) != true }
  }

  /// Returns the names of the tables and indexes that statements create in an empty database.
  private static func made(by statements: [String]) throws(SQLiteError) -> Set<String> {
    let trial = try Connection.memory()
    for sql in statements {
      // What a statement that fails doesn't make is missing below.
      try? trial.execute(sql, [])
    }
    let made = try trial.rows("SELECT name FROM sqlite_schema WHERE sql IS NOT NULL")
    return Set(made.compactMap { $0[0].string })
  }
}

extension StoreDescription.TableDescription {
  /// Whether the statement consists of the names, types and key of columns, as Core Data writes it.
  ///
  /// SQLite has read these columns from the statement, so that no text but theirs is in it.
  fileprivate var isPlain: Bool {
    let columns = columns.map { "\($0.name) \($0.declaredType)" }.joined(separator: ", ")
    let key = self.columns.map(\.name).joined(separator: ", ")
    let first = self.columns.first.map { "\($0.name) \($0.declaredType)" } ?? ""
    return [
      "( \(first) PRIMARY KEY\(columns.dropFirst(first.count)) )",
      "(\(first) PRIMARY KEY\(columns.dropFirst(first.count)))",
      "( \(columns), PRIMARY KEY (\(key)) )", "(\(columns))",
    ]
    .contains { sql == "CREATE TABLE \(name) \($0)" }
  }
}

extension StoreDescription.IndexDescription {
  /// Whether the statement consists of the names of columns, as Core Data writes it.
  fileprivate var isPlain: Bool {
    guard let sql else { return true }
    let head = "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON \(table)"
    return ["", " COLLATE BINARY ASC"].contains { order in
      sql == "\(head) (\(columns.map { $0 + order }.joined(separator: ", ")))"
    }
  }
}
