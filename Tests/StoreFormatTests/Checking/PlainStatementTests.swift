import SQLite
import TestSupport
import Testing

@testable import StoreFormat

/// Statements that aren't tried, because they are plain, and the same ones when they are tried.
@Suite struct PlainStatementTests {
  private static let names = [
    "ZA", "Z_1B", "\"ZC\"", "\"Z D\"", "\"ZE INTEGER\"", "z\u{E4}",
  ]
  private static let types = ["INTEGER", "VARCHAR", "VARCHAR(255)", "", "\"A, B\"", "TIME STAMP"]
  private static let rules = [
    " COLLATE NSCollate", " COLLATE BINARY", " DEFAULT 7", " CHECK (1)", " NOT NULL",
    " PRIMARY KEY",
  ]

  private func columns(_ numbers: inout SeededGenerator) -> [String] {
    (0...numbers.below(3)).map { number in
      let name = Self.names[numbers.below(Self.names.count)]
      let end = numbers.below(4) > 0 ? "" : Self.rules[numbers.below(Self.rules.count)]
      let start = name.hasSuffix("\"") ? String(name.dropLast()) : name
      let quote = name.hasSuffix("\"") ? "\"" : ""
      return "\(start)\(number)\(quote) \(Self.types[numbers.below(Self.types.count)])\(end)"
    }
  }

  /// Makes a table and an index, whose statements may have a collation that SQLite doesn't know.
  private func store(_ numbers: inout SeededGenerator) throws -> StoreDescription {
    let connection = try Connection.memory()
    try connection.set(.defensive, to: false)
    for statement in SystemTables.createStatements { try connection.execute(statement) }
    let body = columns(&numbers)
    let key = numbers.below(3) > 0 ? "" : " PRIMARY KEY"
    let space = numbers.below(2) == 0 ? " " : ""
    let list = [body[0] + key] + body.dropFirst()
    let table = "CREATE TABLE ZT (\(space)\(list.joined(separator: ", "))\(space))"
    // What SQLite refuses isn't made.
    try? connection.execute(table.replacing("NSCollate", with: "NOCASE"))
    let name = try connection.rows("SELECT name FROM pragma_table_info('ZT')").first?[0].string
    let order = ["", " COLLATE BINARY ASC", " COLLATE NOCASE", " DESC"][numbers.below(4)]
    let unique = ["", "UNIQUE "][numbers.below(2)]
    let column = numbers.below(2) == 0 ? name ?? "" : "\"\(name ?? "")\""
    try? connection.execute("CREATE \(unique)INDEX ZI ON ZT (\(column)\(order))")
    try connection.execute("PRAGMA writable_schema = ON")
    try connection.execute("UPDATE sqlite_schema SET sql = ?1 WHERE name = 'ZT'", [.text(table)])
    try connection.execute("PRAGMA writable_schema = RESET")
    return try StoreDescription(reading: connection)
  }

  @Test func `plain statements are those that can run, and need not be tried`() throws {
    let seed = printedSeed(below: 100_000)
    var numbers = SeededGenerator(seed: seed)
    var (made, refused) = (0, 0)
    for round in 0..<3_000 {
      let store = try store(&numbers)
      let tried = StoreDescription.unmakeable(
        store.tables, Dictionary(grouping: store.indexes, by: \.table))
      let about = store.tables.map(\.sql) + store.indexes.compactMap(\.sql)
      #expect(store.unmakeable == tried, "seed \(seed), round \(round): \(about)")
      if tried.isEmpty { made += 1 } else { refused += 1 }
    }
    #expect(made > 500 && refused > 100, "\(made) \(refused)")
  }
}
