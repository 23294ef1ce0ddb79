import Migrations
import Platform
import RowRewriting
import SQLite
import StoreFormat
import StoreModel
import StoreProof
import TestSupport
import Testing

@testable import StoreMigration

/// Steps that split an entity, with all that becomes of its rows.
@Suite struct SplitTests {
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

  /// Four people, of whom two have one address and one has none.
  private static let small = Content(
    names: [1: "a", 2: "b", 5: "c", 6: "d"],
    values: [1: elm, 2: Values(street: "elm", city: "Ulm", floor: 3), 5: .empty, 6: elm])

  @Test func `every row gets a row of the new entity, with its own key`() throws {
    for inverse in SplitFixture.Inverse.allCases {
      let path = folder.path("\(inverse).store")
      let fixture = SplitFixture(path: path)
      try fixture.make(Self.small, .joined)
      let migrator = try SplitFixture.migrator(
        SplitFixture.split(per: "row"), from: .joined, to: .apart(inverse))
      let plan = try migrator.plan(for: path)
      #expect(plan.losses.isEmpty && plan.blockers.isEmpty && plan.isReversible)
      let made = try #require(plan.conversions.first)
      #expect(made.object == "Person" && made.target == "Address" && made.rows == 4)
      #expect(made.classes.map(\.name) == ["split", "shared", "nil"])
      #expect(made.classes.map(\.count) == [4, 0, 0])
      let report = try migrator.applyAndVerify(path)
      #expect(report.conversions == plan.conversions)
      #expect(report.ledger.contains { $0.property == "street" && $0.identical == 4 })
      let after = try fixture.content(.apart(inverse), "V2")
      #expect(after.names == Self.small.names && after.addresses == Self.small.values)
      #expect(after.links == [1: 1, 2: 2, 5: 5, 6: 6])
      let keys = try rows(of: "Z_PRIMARYKEY", in: path).filter { $0["Z_NAME"]?.string == "Address" }
      #expect(keys.first?["Z_MAX"]?.int64 == 1000)
      _ = try migrator.rollback(path)
      #expect(try fixture.content(.joined, "V1") == Self.small)
    }
  }

  @Test func `rows with equal values share one row of the new entity`() throws {
    try fixture.make(Self.small, .joined)
    let migrator = try SplitFixture.migrator(
      SplitFixture.split(per: "value"), from: .joined, to: .apart(.many))
    let plan = try migrator.plan(for: path)
    #expect(plan.conversions.first?.classes.map(\.count) == [2, 1, 1])
    let report = try migrator.applyAndVerify(path)
    #expect(report.ledger.contains { $0.property == "street" && $0.identical == 3 })
    let after = try fixture.content(.apart(.many), "V2")
    #expect(after.links == [1: 1, 2: 2, 6: 1])
    #expect(after.addresses == [1: Self.elm, 2: Values(street: "elm", city: "Ulm", floor: 3)])
    _ = try migrator.rollback(path)
    #expect(try fixture.content(.joined, "V1") == Self.small)
  }

  @Test func `random people are split as a slow interpreter does, and come back`() throws {
    var random = SeededGenerator(printing: #function)
    for round in 0..<10 {
      let content = SplitFixture.randomContent(.joined, &random)
      let isByValue = random.below(2) == 0
      let inverse: SplitFixture.Inverse =
        isByValue
        ? [.none, .many][random.below(2)] : SplitFixture.Inverse.allCases[random.below(3)]
      let fixture = SplitFixture(path: folder.path("\(round).store"))
      try fixture.make(content, .joined)
      let migrator = try SplitFixture.migrator(
        SplitFixture.split(per: isByValue ? "value" : "row"), from: .joined, to: .apart(inverse))
      try migrator.applyAndVerify(fixture.path)
      let expected = isByValue ? Self.splitByValue(content) : Self.splitByRow(content)
      #expect(try fixture.content(.apart(inverse), "V2") == expected, "\(content)")
      _ = try migrator.rollback(fixture.path)
      #expect(try fixture.content(.joined, "V1") == content)
      try migrator.applyAndVerify(fixture.path)
      let present = try Self.write(after: expected, fixture, .apart(inverse), &random)
      let report = try migrator.rollback(fixture.path, laterWrites: .keep)
      let back = try fixture.content(.joined, "V1")
      #expect(back.names == present.names && back.values == present.seen, "\(expected) \(present)")
      let unlinked = Set(present.addresses.keys).subtracting(present.links.values)
      #expect(report.parked["Address", default: 0] >= Int64(unlinked.count))
      // Migrating again, every person has the address of before.
      try migrator.applyAndVerify(fixture.path)
      let again = try fixture.content(.apart(inverse), "V2")
      #expect(again.names == present.names && again.seen == present.seen)
    }
  }

  private static func splitByRow(_ content: Content) -> Content {
    Content(
      names: content.names,
      links: Dictionary(uniqueKeysWithValues: content.names.keys.map { ($0, $0) }),
      addresses: content.values)
  }

  private static func splitByValue(_ content: Content) -> Content {
    var made = Content(names: content.names)
    for key in content.names.keys.sorted() {
      guard let values = content.values[key], !values.isEmpty else { continue }
      // Swift's texts are equal if they are canonically equivalent, and SQLite's if their bytes are.
      let first = made.addresses.keys.sorted().first { made.addresses[$0]?.bytes == values.bytes }
      if first == nil { made.addresses[key] = values }
      made.links[key] = first ?? key
    }
    return made
  }

  /// Writes to a store as an app does, and returns its rows.
  private static func write(
    after content: Content, _ fixture: SplitFixture, _ form: Form,
    _ random: inout SeededGenerator
  ) throws -> Content {
    var content = content
    let connection = try Connection(path: fixture.path, mode: .readWrite)
    func someone() -> Int64? { content.names.keys.sorted().randomElement(using: &random) }
    func address() -> Int64? { content.addresses.keys.sorted().randomElement(using: &random) }
    for number in 0..<(1 + random.below(6)) {
      let new = Values(street: "new \(number)", city: [nil, "Rom"][random.below(2)], floor: nil)
      let key = Int64(2000 + number)
      switch random.below(6) {
      case 0:
        guard let address = address() else { continue }
        content.addresses[address] = new
        try connection.execute(
          "UPDATE ZADDRESS SET ZLINE = ?2, ZCITY = ?3, ZFLOOR = ?4 WHERE Z_PK = ?1",
          [.integer(address)] + new.stored)
      case 1, 2:
        content.names[key] = "n\(key)"
        try fixture.add(person: key, content, form, "V2", connection)
        content.addresses[key + 500] = new
        content.links[key] = key + 500
        try fixture.add(address: key + 500, new, form, "V2", connection)
      case 3:
        guard let person = someone() else { continue }
        content.links[person] = nil
        try connection.execute(
          "UPDATE ZPERSON SET ZADDRESS = NULL WHERE Z_PK = ?1", [.integer(person)])
      case 4:
        guard let person = someone() else { continue }
        content.names[person] = nil
        content.links[person] = nil
        try connection.execute("DELETE FROM ZPERSON WHERE Z_PK = ?1", [.integer(person)])
      default:
        guard form != .apart(.one), let person = someone(), let address = address() else {
          continue
        }
        content.links[person] = address
      }
    }
    try finish(content, fixture, form, connection)
    return content
  }

  private static func finish(
    _ content: Content, _ fixture: SplitFixture, _ form: Form, _ connection: borrowing Connection
  ) throws {
    if form == .apart(.one) { try connection.execute("UPDATE ZADDRESS SET ZPEOPLE = NULL") }
    try fixture.link(content, form, "V2", connection)
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 5000 WHERE Z_ENT < 100")
  }

  @Test func `the proof finds a part that isn't as the step says`() throws {
    try fixture.make(Self.small, .joined)
    for (number, sql) in [
      "UPDATE new.ZADDRESS SET ZLINE = 'x' WHERE Z_PK = 2",
      "UPDATE new.ZADDRESS SET ZFLOOR = NULL WHERE Z_PK = 1",
      "UPDATE new.ZPERSON SET ZADDRESS = 2 WHERE Z_PK = 6",
      "UPDATE new.ZPERSON SET ZADDRESS = NULL WHERE Z_PK = 6",
      "UPDATE new.ZADDRESS SET Z_ENT = 9 WHERE Z_PK = 1",
      "DELETE FROM new.ZADDRESS WHERE Z_PK = 2",
      "INSERT INTO new.ZADDRESS (Z_PK, Z_ENT, Z_OPT) VALUES (77, 1, 1)",
    ].enumerated() {
      for per in ["row", "value"] {
        let name = "\(number)-\(per)"
        #expect(try !findings(per, tampering: sql, name).isEmpty, "\(sql) \(per)")
        if number == 0 { #expect(try findings(per, tampering: "", name + "-0").isEmpty) }
      }
    }
  }

  private func findings(
    _ per: String, tampering sql: String, _ name: String
  ) throws -> [String] {
    let connection = try Connection(path: path, mode: .readWrite)
    let store = try StoreDescription(reading: connection)
    let text = """
      { "format_version": 1, "app": "people", "from": "V1", "to": "V2", "steps": [{ "add": "Archive" }, \(SplitFixture.split(per: per))] }
      """
    let models = try [
      SplitFixture.model("V1", .joined), SplitFixture.model("V2", .apart(.many)),
    ]
    let lineage = try Lineage(identityOf: models[0]).applying(
      Migration(parsing: Array(text.utf8), file: nil), source: models[0], target: models[1])
    let program = try ProgramBuilder(
      lineage: lineage, source: models[0], target: models[1], store: store, options: [:]
    ).program()
    let schema = try SchemaFile(
      parsing: Array(SplitFixture.schema("V2", .apart(.many)).utf8), file: nil)
    let file = folder.path("\(name).new")
    _ = try FileDescriptor(creating: file)
    try connection.attach(path: file, as: NewStore.schema, mode: .readWriteAlone)
    _ = try NewStore(program: program, store: store, target: ModelVersion(schema)).write(connection)
    if !sql.isEmpty { try connection.execute(sql) }
    let ledger = Ledger(
      program: program, store: store, sourceSchema: "main", targetSchema: { _ in NewStore.schema })
    return try ledger.result(connection).findings.map(\.message)
  }
}
