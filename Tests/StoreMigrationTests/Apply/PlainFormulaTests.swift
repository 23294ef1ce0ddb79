import Migrations
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import TestSupport
import Testing

@testable import RowRewriting
@testable import StoreMigration

/// Formulas that SQLite evaluates while it writes a table, beside the same rows written one by one.
@Suite struct PlainFormulaTests {
  private typealias Outcome = Result<(tally: Tally, rows: [[Value]]), RowError>

  /// Types, each with a formula that fits it.
  private static let types = [
    ("Integer 16", "n + 1"), ("Integer 64", "coalesce(n, 0)"), ("Double", "n / 3.0"),
    ("Float", "abs(n * 0.5)"), ("Decimal", "n"), ("Boolean", "n > 4"), ("Date", "n * 60.5"),
    ("String", "coalesce(name, 'é') || n"), ("UUID", "x'00112233445566778899aabbccddeeff'"),
    ("Binary", "CAST(name AS BLOB)"),
  ]

  private static let formulas = [
    "n", "n * 1.0", "n / 2.0", "CAST(n AS TEXT)", "name", "NULL", "CASE WHEN n > 5 THEN n END",
    "upper(name)", "x'00112233445566778899aabbccddeeff'", "n = 3", "n * 9e300", "9e999 * n",
    "CAST(x'ff41' AS TEXT)", "json_extract(name, '$')", "coalesce(box.label, name, '-')", "n % 2",
    "abs(-9223372036854775807 - (n = 8))",
  ]

  private static let requirements = ["n <> 7", "n - 3", "n / 2.0", "name", "length(name) < 4", "1"]

  @Test func `rows, counts and errors are those of writing row by row`() throws {
    var random = SeededGenerator(printing: #function)
    var atOnce = 0
    for _ in 0..<60 where try check(&random) { atOnce += 1 }
    #expect(atOnce > 8)
  }

  /// Writes a table of a random program in both ways; returns whether SQLite wrote it alone.
  private func check(_ random: inout SeededGenerator) throws -> Bool {
    let folder = try TemporaryDirectory()
    let path = folder.path("default.store")
    let (old, new, steps) = try Self.program(&random)
    try Self.makeStore(old, at: path, &random)
    let connection = try Connection(path: path, mode: .readWrite)
    let store = try StoreDescription(reading: connection)
    let text =
      #"{ "format_version": 1, "app": "box", "from": "V1", "to": "V2", "steps": [\#(steps)] }"#
    let lineage = try Lineage(identityOf: old.model).applying(
      Migration(parsing: Array(text.utf8), file: nil), source: old.model, target: new.model)
    let program = try ProgramBuilder(
      lineage: lineage, source: old.model, target: new.model, store: store, options: [:]
    ).program()
    let target = NewStore(program: program, store: store, target: ModelVersion(new))
    let rows = try #require(program.rewrites.first { $0.table.name == "ZITEM" })
    // Two attributes with one formula share its results, which are then counted row by row.
    guard let plain = PlainRewriting(rows, schema: "main") else { return false }
    try connection.attach(path: "", as: NewStore.schema, mode: .temporary)
    let single = try Self.outcome(rows, target, connection) { try target.rewriteOneByOne(rows, $0) }
    let either = try Self.outcome(rows, target, connection) { try target.rewrite(rows, $0) }
    var isAlone = false
    _ = try Self.outcome(rows, target, connection) {
      let tally = try target.rewriteAtOnce(rows, plain, $0)
      isAlone = tally != nil
      return tally ?? Tally(rows)
    }
    switch (single, either) {
    case (.success(let single), .success(let either)):
      #expect(single.rows == either.rows, "\(steps)")
      #expect(single.tally == either.tally, "\(steps)")
    case (.failure(let single), .failure(let either)):
      #expect(single.description == either.description, "\(steps)")
      #expect(!isAlone, "\(steps)")
    default: Issue.record("\(steps): \(single), \(either)")
    }
    return isAlone
  }

  private static func outcome(
    _ rows: RowProgram, _ new: NewStore, _ connection: borrowing Connection,
    _ body: (borrowing Connection) throws -> Tally
  ) throws -> Outcome {
    try rows.prepare(connection, schema: new.source)
    try connection.execute(new.create(rows.table.createStatement))
    defer {
      try? connection.execute("DROP TABLE \(qualified(rows.table.name, in: NewStore.schema))")
    }
    do {
      let tally = try body(connection)
      let table = qualified(rows.table.name, in: NewStore.schema)
      return .success((tally, try connection.rows("SELECT * FROM \(table) ORDER BY Z_PK")))
    } catch let error as RowError {
      return .failure(error)
    }
  }

  /// Returns two models, and the steps between them.
  private static func program(
    _ random: inout SeededGenerator
  ) throws -> (old: SchemaFile, new: SchemaFile, steps: String) {
    var (added, steps): ([String], [String]) = ([], [])
    for place in 0...random.below(3) {
      let (type, fitting) = types[random.below(types.count)]
      let rule = random.below(4) > 0 ? #", "optional": true"# : ""
      added.append(#"{ "name": "out\#(place)", "type": "\#(type)"\#(rule) }"#)
      let formula = random.below(5) > 0 ? fitting : formulas[random.below(formulas.count)]
      steps.append(#"{ "compute": "Item.out\#(place)", "sql": "\#(formula)" }"#)
    }
    if random.below(3) == 0 {
      let formula = requirements[random.below(requirements.count)]
      steps.append(#"{ "require": "Item", "sql": "\#(formula)", "because": "it is so" }"#)
    }
    let isMapped = random.below(3) == 0
    if isMapped {
      let other = random.below(2) == 0 ? "refuse" : "many"
      steps.append(
        #"{ "map": "Item.kind", "values": { "0": "none", "1": "one" }, "else": "\#(other)" }"#)
    }
    return (
      try schema("V1", kind: "Integer 16", []),
      try schema("V2", kind: isMapped ? "String" : "Integer 16", added),
      steps.shuffled(using: &random).joined(separator: ", ")
    )
  }

  private static func schema(_ version: String, kind: String, _ added: [String]) throws
    -> SchemaFile
  {
    let attributes = [
      #"{ "name": "n", "type": "Integer 64", "optional": true }"#,
      #"{ "name": "name", "type": "String", "optional": true }"#,
      #"{ "name": "kind", "type": "\#(kind)", "optional": true }"#,
    ]
    return try SchemaFile(
      """
      { "format_version": 1, "app": "box", "version": "\(version)", "identifiers": ["\(version)"], "entities": [
        { "name": "Box", "attributes": [{ "name": "label", "type": "String", "optional": true }],
          "relationships": [{ "name": "items", "to": "Item", "max": 0, "inverse": "box", "optional": true }] },
        { "name": "Thing", "attributes": [{ "name": "weight", "type": "Double", "optional": true }] },
        { "name": "Item", "attributes": [\((attributes + added).joined(separator: ", "))],
          "relationships": [{ "name": "box", "to": "Box", "inverse": "items", "optional": true }] } ] }
      """)
  }

  private static func makeStore(
    _ schema: SchemaFile, at path: String, _ random: inout SeededGenerator
  ) throws {
    try createFixture(
      app: "box", version: "V1", model: schema.model, at: path, options: FixtureOptions(rows: 5))
    let connection = try Connection(path: path, mode: .readWrite)
    let number = EntityNumbering(schema.model).number(of: "Item") ?? 0
    try connection.execute("DELETE FROM ZITEM")
    // Which rows refuse depends on the last one.
    for key in 1...(3 + random.below(8)) {
      let names = ["NULL", "'a'", "'{}'", "'é'", "'longer'", "12"]
      try connection.execute(
        """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZN, ZNAME, ZKIND, ZBOX) VALUES
        (\(key), \(number), 1, \(random.below(9) == 0 ? "NULL" : "\(key)"),
        \(names[random.below(names.count)]), \(random.below(2)), \(random.below(3)))
        """)
    }
  }
}
