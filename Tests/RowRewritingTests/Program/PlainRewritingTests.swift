import Migrations
import SQLite
import StoreFormat
import TestSupport
import Testing

@testable import RowRewriting

/// Tables that SQLite rewrites alone, beside the same rows written one by one.
@Suite struct PlainRewritingTests {
  @Test(arguments: [
    ("FitIQ", "V3"), ("FitIQ", "V8"), ("FitIQ", "V10"), ("Lume", "V1"), ("Lume", "V5"),
    ("Lume", "V6"),
  ])
  func `rows are those that the evaluator makes`(app: String, version: String) throws {
    let seed = printedSeed(below: 1 << 32)
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryDirectory()
    let path = try makeStore(
      version, of: app, rows: 80, seed: random.next(), users: 2, in: folder)
    try disturb(path, &random)
    let (program, new) = try program(for: path, version, of: app)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.attach(path: "", as: NewStore.schema, mode: .temporary)
    var plain = 0
    for rows in program.rewrites where PlainRewriting(rows, schema: "main") != nil {
      plain += 1
      let table = qualified(rows.table.name, in: NewStore.schema)
      let atOnce = try write(rows, table, new, connection) { try new.rewrite(rows, $0) }
      let single = try write(rows, table, new, connection) { try new.rewriteOneByOne(rows, $0) }
      #expect(atOnce.rows == single.rows, "\(rows.table.name)")
      #expect(atOnce.tally == single.tally, "\(rows.table.name)")
    }
    #expect(plain > 0)
  }

  @Test(arguments: ["NULL", "99", "'x'"])
  func `a row whose number names no entity is refused as it is one by one`(number: String) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V3", of: "FitIQ", rows: 30, in: folder)
    let (program, new) = try program(for: path, "V3", of: "FitIQ")
    let rows = try #require(program.rewrites.first { PlainRewriting($0, schema: "main") != nil })
    let connection = try Connection(path: path, mode: .readWrite)
    let source = quoteIdentifier(rows.sourceTable)
    try connection.execute(
      "UPDATE \(source) SET Z_ENT = \(number) WHERE Z_PK = (SELECT max(Z_PK) FROM \(source))")
    try connection.attach(path: "", as: NewStore.schema, mode: .temporary)
    try connection.execute(new.create(rows.table.createStatement))
    let atOnce = #expect(throws: RowError.self) { try new.rewrite(rows, connection) }
    try connection.execute("DELETE FROM \(qualified(rows.table.name, in: NewStore.schema))")
    let single = #expect(throws: RowError.self) { try new.rewriteOneByOne(rows, connection) }
    #expect(atOnce?.description == single?.description)
  }

  /// Takes links away, and turns values into others of their columns'.
  private func disturb(_ path: String, _ random: inout SeededGenerator) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    for table in try StoreDescription(reading: connection).tables
    where table.name.hasPrefix("ZSD") {
      for column in table.columns.map(\.name) where !["Z_PK", "Z_ENT", "Z_OPT"].contains(column) {
        try connection.execute(
          """
          UPDATE \(quoteIdentifier(table.name)) SET \(quoteIdentifier(column)) = NULL
          WHERE (Z_PK * 2654435761 + ?1) % 7 = 0
          """, [.integer(Int64(random.next() % 1000))])
      }
    }
  }

  private func program(
    for path: String, _ version: String, of app: String
  ) throws -> (StoreProgram, NewStore) {
    let catalog = Catalog.bundled
    let source = try #require(catalog.version(version, of: app))
    let route = try Route(from: source, to: MigrationRequest(), catalog: catalog)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let store = try StoreDescription(reading: connection)
    let program = try ProgramBuilder(
      lineage: route.lineage, source: route.source.model, target: route.target.model, store: store,
      options: [.userID: "U"]
    ).program()
    return (program, NewStore(program: program, store: store, target: route.target))
  }

  private func write(
    _ rows: RowProgram, _ table: String, _ new: NewStore, _ connection: borrowing Connection,
    _ body: (borrowing Connection) throws -> Tally
  ) throws -> (tally: Tally, rows: [[Value]]) {
    try rows.prepare(connection, schema: new.source)
    try connection.execute(new.create(rows.table.createStatement))
    let tally = try body(connection)
    let written = try connection.rows("SELECT rowid, * FROM \(table) ORDER BY rowid")
    try connection.execute("DROP TABLE \(table)")
    return (tally, written)
  }
}
