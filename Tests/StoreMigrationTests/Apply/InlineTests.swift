import Migrations
import Platform
import RowRewriting
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import StoreProof
import TestSupport
import Testing

@testable import StoreMigration

/// Steps that inline an entity, with all that becomes of its rows.
@Suite struct InlineTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let fixture: SplitFixture

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
    fixture = SplitFixture(path: path)
  }

  private typealias Form = SplitFixture.Form
  private typealias Values = SplitFixture.Values
  private typealias Content = SplitFixture.Content

  private static let elm = Values(street: "Elm", city: "Ulm", floor: 3)

  /// Two people share an address, one has none, and nobody has the address 8.
  private static let small = Content(
    names: [1: "a", 2: "b", 5: "c"], links: [1: 7, 2: 7],
    addresses: [7: elm, 8: Values(street: "Oak", city: nil, floor: nil)])

  private static let accepting = MigrationRequest(acceptedLosses: ["all"])

  @Test func `linked rows are copied, and rows without a link are a loss`() throws {
    try fixture.make(Self.small, .apart(.many))
    let migrator = try SplitFixture.migrator(
      SplitFixture.inline, from: .apart(.many), to: .joined)
    let plan = try migrator.plan(for: path)
    #expect(plan.losses.map(\.step) == ["V1-V2:Person.address"])
    #expect(plan.losses.map(\.object) == ["Address"] && plan.losses.map(\.rows) == [1])
    #expect(plan.blockers.map(\.code) == ["data-loss"] && !plan.isReversible)
    let made = try #require(plan.conversions.first { $0.object == "Address" })
    #expect(made.target == "Person.address" && made.rows == 4)
    #expect(made.classes.map(\.name) == ["inlined", "shared", "nil", "left-out"])
    #expect(made.classes.map(\.count) == [1, 1, 1, 1])
    #expect(try failure { _ = try migrator.apply(to: path) }.contains("V1-V2:Person.address"))
    let report = try migrator.applyAndVerify(path, Self.accepting)
    #expect(
      report.ledger.contains { $0.property == "line" && $0.converted == 1 && $0.setAside == 1 })
    let after = try fixture.content(.joined, "V2")
    #expect(after.values == [1: Self.elm, 2: Self.elm, 5: .empty])
    _ = try migrator.rollback(path)
    #expect(try fixture.content(.apart(.many), "V1") == Self.small)
  }

  @Test func `values that a step drops before are counted`() throws {
    let extra = #", { "name": "note", "type": "String", "optional": true }"#
    let migrator = try SplitFixture.migrator(
      #"{ "drop": "Address.note" }, \#(SplitFixture.inline)"#, from: .apart(.many), to: .joined,
      more: [extra, ""])
    let catalog = try #require(migrator.catalog.version("V1", of: "people"))
    try createPlain(catalog)
    let plan = try migrator.plan(for: path)
    #expect(plan.losses.contains { $0.step == "V1-V2:Address.note" && $0.rows == 1 })
    try migrator.applyAndVerify(path, Self.accepting)
  }

  private func createPlain(_ version: ModelVersion) throws {
    try createFixture(
      app: "people", version: "V1", model: version.model, at: path, options: FixtureOptions(rows: 0)
    )
    let connection = try Connection(path: path, mode: .readWrite)
    let number = try SplitFixture.number("Address", .apart(.many), "V1")
    let person = try SplitFixture.number("Person", .apart(.many), "V1")
    try connection.execute(
      """
      DELETE FROM ZPERSON; DELETE FROM ZADDRESS;
      INSERT INTO ZADDRESS (Z_PK, Z_ENT, Z_OPT, ZLINE, ZNOTE) VALUES (1, \(number), 1, 'a', 'lost');
      INSERT INTO ZADDRESS (Z_PK, Z_ENT, Z_OPT, ZLINE) VALUES (2, \(number), 1, 'b');
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZADDRESS) VALUES (1, \(person), 1, 1);
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZADDRESS) VALUES (3, \(person), 1, 2);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 10 WHERE Z_ENT < 100;
      """)
  }

  @Test func `random addresses are inlined, and later writes come back`() throws {
    var random = SeededGenerator(printing: #function)
    for round in 0..<10 {
      let form = Form.apart(SplitFixture.Inverse.allCases[round % 3])
      let content = SplitFixture.randomContent(form, &random)
      let fixture = SplitFixture(path: folder.path("\(round).store"))
      try fixture.make(content, form)
      let migrator = try SplitFixture.migrator(SplitFixture.inline, from: form, to: .joined)
      let linked = Set(content.links.values)
      let lost = try migrator.plan(for: fixture.path).losses.reduce(0) { $0 + $1.rows }
      #expect(lost == Int64(content.addresses.count - linked.count))
      try migrator.applyAndVerify(fixture.path, Self.accepting)
      let expected = Content(names: content.names, values: content.seen)
      #expect(try fixture.content(.joined, "V2") == expected)
      _ = try migrator.rollback(fixture.path)
      #expect(try fixture.content(form, "V1") == content)
      try migrator.applyAndVerify(fixture.path, Self.accepting)
      let (present, touched) = try Self.write(after: expected, fixture, &random)
      let report = try migrator.rollback(fixture.path, laterWrites: .keep)
      #expect(report.parked.isEmpty)
      let back = try fixture.content(form, "V1")
      #expect(back.names == present.names && back.seen == present.seen, "\(content) \(present)")
      // Rows whose owners weren't written to are as they were.
      for (key, values) in content.addresses {
        let owners = content.links.filter { $0.value == key }.map(\.key)
        if touched.isDisjoint(with: owners) { #expect(back.addresses[key] == values) }
      }
      for (person, address) in content.links
      where !touched.contains(person) && present.names[person] != nil {
        #expect(back.links[person] == address)
      }
    }
  }

  /// Writes to a store as an app does, and returns its rows, and the keys of changed people.
  private static func write(
    after content: Content, _ fixture: SplitFixture, _ random: inout SeededGenerator
  ) throws -> (Content, Set<Int64>) {
    var content = content
    var touched: Set<Int64> = []
    let connection = try Connection(path: fixture.path, mode: .readWrite)
    for number in 0..<(1 + random.below(6)) {
      let new = Values(street: ["x", "y"][random.below(2)], city: nil, floor: Int64(number))
      let someone = content.names.keys.sorted().randomElement(using: &random)
      let key = Int64(2000 + number)
      switch (random.below(5), someone) {
      case (0, _):
        content.names[key] = "n\(key)"
        content.values[key] = [new, .empty][random.below(2)]
        try fixture.add(person: key, content, .joined, "V2", connection)
      case (1, let person?):
        content.names[person] = nil
        content.values[person] = nil
        try connection.execute("DELETE FROM ZPERSON WHERE Z_PK = ?1", [.integer(person)])
      case (let kind, let person?):
        let values = kind == 2 ? .empty : new
        // A value that is written again is no change.
        if content.values[person] != values { touched.insert(person) }
        content.values[person] = values
        try connection.execute(
          "UPDATE ZPERSON SET ZSTREET = ?2, ZCITY = ?3, ZFLOOR = ?4 WHERE Z_PK = ?1",
          [.integer(person)] + values.stored)
      default: continue
      }
    }
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 5000 WHERE Z_ENT < 100")
    return (content, touched)
  }

  @Test func `the proof finds a value that isn't that of the linked row`() throws {
    try fixture.make(Self.small, .apart(.many))
    for (number, sql) in [
      "", "UPDATE new.ZPERSON SET ZSTREET = 'x' WHERE Z_PK = 1",
      "UPDATE new.ZPERSON SET ZFLOOR = NULL WHERE Z_PK = 2",
      "UPDATE new.ZPERSON SET ZCITY = 'Ulm' WHERE Z_PK = 5",
    ].enumerated() {
      let (findings, faults) = try checked(tampering: sql, "\(number).new")
      #expect(findings.isEmpty == sql.isEmpty && (faults > 0) != sql.isEmpty, "\(sql)")
      #expect(
        sql.isEmpty || findings.contains { $0.hasPrefix("'Person.address' isn't inlined as") })
    }
  }

  /// Returns what the ledger finds, and what the queries beside the rows' own comparison count.
  private func checked(tampering sql: String, _ name: String) throws -> ([String], Int64) {
    let connection = try Connection(path: path, mode: .readWrite)
    let store = try StoreDescription(reading: connection)
    let text = """
      { "format_version": 1, "app": "people", "from": "V1", "to": "V2", "steps": [{ "add": "Archive" }, \(SplitFixture.inline)] }
      """
    let models = try [
      SplitFixture.model("V1", .apart(.many)), SplitFixture.model("V2", .joined),
    ]
    let lineage = try Lineage(identityOf: models[0]).applying(
      Migration(parsing: Array(text.utf8), file: nil), source: models[0], target: models[1])
    let program = try ProgramBuilder(
      lineage: lineage, source: models[0], target: models[1], store: store, options: [:]
    ).program()
    let schema = try SchemaFile(
      parsing: Array(SplitFixture.schema("V2", .joined).utf8), file: nil)
    let file = folder.path(name)
    _ = try FileDescriptor(creating: file)
    try connection.attach(path: file, as: NewStore.schema, mode: .readWriteAlone)
    _ = try NewStore(program: program, store: store, target: ModelVersion(schema)).write(connection)
    if !sql.isEmpty { try connection.execute(sql) }
    let ledger = Ledger(
      program: program, store: store, sourceSchema: "main", targetSchema: { _ in NewStore.schema })
    let queries = program.inlines.flatMap { $0.faults(schema: "main") { _ in NewStore.schema } }
    #expect(queries.count == 3)
    var faults: Int64 = 0
    for query in queries { faults += try connection.value(query)?.int64 ?? 0 }
    return (try ledger.result(connection).findings.map(\.message), faults)
  }
}
