import Migrations
import Processes
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration

/// Random programs of all verbs over random stores: forward, proven, and back.
@Suite struct RandomProgramTests {
  private let folder: TemporaryDirectory
  private let path: String

  /// The number of programs; `OUTBOX_MIGRATE_PROGRAMS` gives another.
  private static let programs =
    environment("OUTBOX_MIGRATE_PROGRAMS").flatMap(Int.init) ?? rounds(4, all: 8)

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  private typealias Content = ProgramInterpreter.Content
  private typealias Row = ProgramInterpreter.Row

  @Test func `random programs do what a slow interpreter does, and are taken back`() throws {
    var random = SeededGenerator(printing: #function)
    for _ in 0..<Self.programs { try RandomProgramTests().check(&random) }
  }

  private func check(_ random: inout SeededGenerator) throws {
    let program = RandomProgram(&random)
    let (old, new) = (try RandomProgram.old(), try program.new())
    let before = Self.randomContent(&random)
    try make(before, old.model)
    let whole = try dump(path)
    let uuid = try storeUUID()
    var interpreter = ProgramInterpreter(before, program, storeUUID: uuid)
    interpreter.run()
    let migrator = try StoreMigrator([old, new], steps: [program.text])
    let plan = try migrator.plan(for: path)
    let tags = Int64(before.tags.count - interpreter.content.tags.count)
    let items = Int64(before.items.count - interpreter.content.items.count)
    let receipts = Int64(before.receipts.count - interpreter.content.receipts.count)
    for (name, count) in [
      ("V1-V2:Tag", tags), ("V1-V2:Item", items), ("V1-V2:Receipt", receipts),
    ] {
      let lost = plan.losses.filter { $0.step == name || $0.step.hasPrefix("\(name)#") }
      #expect(lost.reduce(0) { $0 + $1.rows } == count, "\(name): \(program)")
    }
    #expect(try dump(path) == whole)
    let request = MigrationRequest(acceptedLosses: ["all"])
    let report = try migrator.applyAndVerify(path, request)
    #expect(report.conversions == plan.conversions, "\(program)")
    expectSame(try content(program, new.model), interpreter.content, program)
    _ = try migrator.rollback(path)
    #expect(try dump(path) == whole, "\(program)")

    // A later write to one row changes nothing of the others, and is there after the next run.
    _ = try migrator.apply(to: path, request)
    guard let key = interpreter.content.items.keys.min() else { return }
    try Connection(path: path, mode: .readWrite)
      .execute("UPDATE ZITEM SET ZEXTRA = 'later', ZNAME = 'later' WHERE Z_PK = \(key)")
    _ = try migrator.rollback(path, laterWrites: .keep)
    var expected = before
    expected.items[key]?["name"] = .text("later")
    #expect(try migrator.verify(path).isPassed, "\(program)")
    expectSame(try content(nil, old.model), expected, program)
    _ = try migrator.applyAndVerify(path, request)
    let again = try content(program, new.model).items[key]
    #expect(again?["extra"] == .text("later") && again?["name"] == .text("later"), "\(program)")
  }

  private func expectSame(_ found: Content, _ expected: Content, _ program: RandomProgram) {
    #expect(found.items == expected.items, "\(program)")
    #expect(found.tags == expected.tags, "\(program)")
    #expect(found.boxes == expected.boxes, "\(program)")
    #expect(found.addresses == expected.addresses, "\(program)")
    #expect(found.shapes == expected.shapes, "\(program)")
    #expect(found.receipts == expected.receipts, "\(program)")
    #expect(found.pairs == expected.pairs, "\(program)")
  }

  // MARK: Stores

  private func storeUUID() throws -> String {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    return try #require(try StoreDescription(reading: connection).metadata?.uuid)
  }

  private static func randomContent(_ random: inout SeededGenerator) -> Content {
    var content = Content()
    func one(_ values: [Value], _ random: inout SeededGenerator) -> Value {
      values[random.below(values.count)]
    }
    for key in 1...(1 + Int64(random.below(6))) {
      content.tags[key] = [
        "name": one([.null, .text("t"), .text("T"), .text("u")], &random),
        "rank": one([.null, .integer(1), .integer(2), .integer(3)], &random),
      ]
      content.boxes[key] = [
        "label": one([.null, .text("b")], &random), "size": one([.null, .integer(7)], &random),
      ]
    }
    let keys = content.tags.keys.sorted().map { Value.integer($0) } + [.null]
    for key in 1...(1 + Int64(random.below(14))) {
      content.items[key] = [
        "name": one([.null, .text("a"), .text("b"), .text("c"), .text("é")], &random),
        "state": one([.null, .integer(0), .integer(1), .integer(2)], &random),
        "count": one([.null, .text("12"), .text("-7"), .text("x"), .text("3000000000")], &random),
        "feet": one([.null, .real(1.5), .real(-0.25), .real(1e300)], &random),
        "note": one([.null, .text(""), .text("note")], &random),
        "day": one([.null, .integer(60), .integer(86_340)], &random),
        "street": one([.null, .text("s"), .text("S")], &random),
        "city": one([.null, .text("c")], &random),
        "level": one([.null, .integer(-4), .integer(9_007_199_254_740_993)], &random),
        "tag": one(keys, &random), "box": one(keys, &random),
      ]
    }
    for key in 1...(1 + Int64(random.below(5))) {
      content.receipts[key] = ["total": one([.null, .real(2.5)], &random)]
      let entity = ["Shape", "Circle", "Square"][random.below(3)]
      var row: Row = ["entity": .text(entity), "weight": one([.null, .real(4)], &random)]
      let own = ["Circle": "radius", "Square": "side"][entity]
      if let own { row[own] = one([.null, .real(1), .real(0.5)], &random) }
      content.shapes[key] = row
    }
    return content
  }

  private func make(_ content: Content, _ model: Model) throws {
    try createFixture(
      app: "store", version: "V1", model: model, at: path, options: FixtureOptions(rows: 0))
    let numbering = EntityNumbering(model)
    let connection = try Connection(path: path, mode: .readWrite)
    for (entity, rows) in [
      ("Item", content.items), ("Tag", content.tags), ("Box", content.boxes),
      ("Shape", content.shapes), ("Receipt", content.receipts),
    ] {
      let table = "Z\(entity.uppercased())"
      try connection.execute("DELETE FROM \(table)")
      for (key, row) in rows {
        let names = row.keys.filter { $0 != "entity" }.sorted()
        let own = row["entity"]?.string ?? entity
        let list = ["Z_PK", "Z_ENT", "Z_OPT"] + names.map { "Z\($0.uppercased())" }
        let marks = list.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        try connection.execute(
          "INSERT INTO \(table) (\(list.joined(separator: ", "))) VALUES (\(marks))",
          [.integer(key), .integer(Int64(numbering.number(of: own) ?? 0)), .integer(1)]
            + names.compactMap { row[$0] })
      }
    }
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1000 WHERE Z_SUPER = 0")
  }

  /// Reads a store of the new version, or of the old one without a program.
  private func content(_ program: RandomProgram?, _ model: Model) throws -> Content {
    var content = Content()
    content.items = try rows(of: "Item", in: model)
    content.tags = try rows(of: program?.tagEntity ?? "Tag", in: model)
    content.boxes = try rows(of: "Box", in: model)
    content.addresses = try rows(of: "Address", in: model)
    content.receipts = try rows(of: "Receipt", in: model)
    content.shapes = try shapes(in: model)
    guard let join = StoreLayout(model).joinTables.first else { return content }
    let keys = [join.first, join.second].sorted { $0.entity < $1.entity }.map(\.keyColumn)
    for row in try TestSupport.rows(of: join.name, in: path) {
      content.pairs.insert(keys.map { row[$0]?.int64 ?? 0 })
    }
    return content
  }

  private func rows(of entity: String, in model: Model) throws -> [Int64: Row] {
    guard let described = model[entity] else { return [:] }
    let links = described.relationships.filter { !$0.isToMany }.map(\.name)
    let names = described.attributes.map(\.name) + links
    var content: [Int64: Row] = [:]
    for row in try TestSupport.rows(of: "Z\(entity.uppercased())", in: path) {
      content[row["Z_PK"]?.int64 ?? 0] = names.reduce(into: [:]) {
        $0[$1] = row["Z\($1.uppercased())"] ?? .null
      }
    }
    return content
  }

  /// Reads the rows of the shapes' table, each with the attributes that its entity has.
  private func shapes(in model: Model) throws -> [Int64: Row] {
    let numbering = EntityNumbering(model)
    var content: [Int64: Row] = [:]
    for name in ["Shape", "Circle", "Square"] {
      let number = Value.integer(Int64(numbering.number(of: name) ?? 0))
      let own = model[name]?.attributes.map(\.name) ?? []
      let inherited = name == "Shape" ? [] : model["Shape"]?.attributes.map(\.name) ?? []
      for row in try TestSupport.rows(of: "ZSHAPE", in: path) where row["Z_ENT"] == number {
        content[row["Z_PK"]?.int64 ?? 0] = Set(own + inherited).reduce(
          into: ["entity": .text(name)]
        ) { $0[$1] = row["Z\($1.uppercased())"] ?? .null }
      }
    }
    return content
  }
}
