import SQLite
import StoreFixtures
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import StoreProof

/// Values that a conversion doesn't give back are losses, which plan, apply and ledger count alike.
@Suite struct RestoredValuesTests {
  /// Compares every count about a property with an expected one.
  private func check(
    _ path: String, _ request: MigrationRequest, _ migrator: StoreMigrator, entity: String,
    _ expected: [String: LedgerEntry], step: (String) -> String
  ) throws {
    let lossy = expected.filter { $0.value.lost > 0 }
    let losses = Dictionary(uniqueKeysWithValues: lossy.map { (step($0.key), $0.value.lost) })
    let plan = try migrator.plan(for: path, request)
    let steps = Set(expected.keys.map(step))
    let planned = plan.losses.filter { steps.contains($0.step) }
    #expect(Dictionary(uniqueKeysWithValues: planned.map { ($0.step, $0.rows) }) == losses)
    #expect(plan.blockers.map(\.code) == ["data-loss"])
    let error = #expect(throws: MigrationError.self) { try migrator.apply(to: path, request) }
    #expect(error?.exitStatus == .refused)
    var accepting = request
    accepting.acceptedLosses = plan.losses.map(\.step)
    #expect(try migrator.plan(for: path, accepting).blockers.isEmpty)
    let report = try migrator.apply(to: path, accepting)
    #expect(report.losses == plan.losses)
    #expect(report.conversions == plan.conversions)
    for entry in report.ledger where entry.entity == entity {
      if let expected = expected[entry.property] { #expect(entry == expected) }
      #expect(entry.addsUp)
    }
    let verified = try migrator.verify(path)
    #expect(verified.isPassed, "\(verified.checks.filter { !$0.isPassed })")
  }

  @Test func `a mood whose valence isn't one of ten is rounded or clamped`() throws {
    var random = SeededGenerator(printing: #function)
    let folder = try TemporaryDirectory()
    let path = try makeStore("V9", of: "FitIQ", rows: 90, seed: random.next(), in: folder)
    var valences: [Double?] = []
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      for row in try connection.rows("SELECT Z_PK FROM ZSDMOODENTRY") {
        let valence: Double? =
          switch random.below(5) {
          case 0: nil
          case 1: Double.random(in: -1...1, using: &random)
          case 2: Double(random.below(10)) / 4.5 - 1
          case 3: [1e300, -.infinity, 1.0000001, -7][random.below(4)]
          default: Double(random.below(21) - 10) / 10
          }
        valences.append(valence)
        try connection.execute(
          "UPDATE ZSDMOODENTRY SET ZVALENCE = ? WHERE Z_PK = ?",
          [valence.map { .real($0) } ?? .null, row[0]])
      }
    }
    var expected = LedgerEntry(entity: "SDMoodEntry", property: "valence")
    expected.rows = Int64(valences.count)
    for valence in valences {
      guard let valence else {
        expected.setAside += 1
        expected.setAsideEmpty += 1
        continue
      }
      if FitIQFormulas.isRestored(valence: valence) {
        expected.converted += 1
      } else if abs(valence) > 1 {
        expected.clamped += 1
      } else {
        expected.rounded += 1
      }
    }
    let target = MigrationRequest(target: "V10")
    var others = target
    others.acceptedLosses = try bundledMigrator().plan(for: path, target).losses.map(\.step)
      .filter { $0 != "V9-V10:SDMoodEntry.valence" }
    try check(path, others, bundledMigrator(), entity: "SDMoodEntry", ["valence": expected]) {
      "V9-V10:SDMoodEntry.\($0)"
    }
  }

  @Test func `a quantity that is written otherwise is computed`() throws {
    let quantities: [(text: String?, notes: String?)] = [
      ("250 g", nil), ("1.5 cup", "hot"), ("1 1/2 cup", nil), ("250g", "hot"), ("½", nil),
      ("a pinch", nil), ("a pinch", "hot"), ("", "hot"), (nil, nil), ("-3", nil), ("0.5 l", ""),
    ]
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", of: "FitIQ", rows: 60, seed: 5, in: folder)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      let keys = try connection.rows("SELECT Z_PK FROM ZSDMEALLOGITEM ORDER BY Z_PK")
      try #require(keys.count >= quantities.count)
      for (key, quantity) in zip(keys, quantities) {
        try connection.execute(
          "UPDATE ZSDMEALLOGITEM SET ZQUANTITY = ?, ZPARSINGNOTES = ? WHERE Z_PK = ?",
          [Value(quantity.text), Value(quantity.notes), key[0]])
      }
      try connection.execute(
        "DELETE FROM ZSDMEALLOGITEM WHERE Z_PK > ?", [keys[quantities.count - 1][0]])
    }
    var text = LedgerEntry(entity: "SDMealLogItem", property: "quantity")
    // "a pinch" becomes the notes, or a part of them; an empty text is the empty unit, NULL the notes.
    (text.rows, text.converted, text.computed, text.identical, text.setAside) = (11, 4, 4, 3, 0)
    var notes = LedgerEntry(entity: "SDMealLogItem", property: "parsingNotes")
    (notes.rows, notes.identical, notes.computed, notes.setAside) = (11, 9, 1, 1)
    notes.setAsideEmpty = 1
    try check(
      path, MigrationRequest(target: "V8"), bundledMigrator(), entity: "SDMealLogItem",
      ["quantity": text, "parsingNotes": notes]
    ) { "V7-V8:SDMealLogItem.\($0)" }
  }

  /// An amount is rounded by the first migration, the number of a text by the second.
  @Test func `of a chain, each step loses what it doesn't give back`() throws {
    func version(_ name: String, _ attributes: [(String, AttributeType)]) -> ModelVersion {
      let item = Entity(
        name: "Item",
        properties: attributes.map {
          .attribute(Attribute(name: $0.0, type: $0.1, isOptional: true))
        })
      let model = Model(
        entities: [item], versionIdentifiers: [name], configurations: ["default": ["Item"]])
      return ModelVersion(SchemaFile(app: "Shop", version: name, model: model))
    }
    func convert(_ inputs: [String], to outputs: [String], _ converter: Converter) -> Step {
      .convert(Conversion(entity: "Item", inputs: inputs, outputs: outputs, converter: converter))
    }
    let versions = [
      version("V1", [("amount", .double), ("text", .string), ("notes", .string)]),
      version(
        "V2", [("count", .integer64), ("number", .double), ("unit", .string), ("notes", .string)]),
      version(
        "V3", [("size", .double), ("whole", .integer64), ("unit", .string), ("notes", .string)]),
    ]
    let migrations = [
      Migration(
        app: "Shop", from: "V1", to: "V2",
        steps: [
          convert(["amount"], to: ["count"], .integer(.integer64)),
          convert(["text", "notes"], to: ["number", "unit", "notes"], .quantity),
        ]),
      Migration(
        app: "Shop", from: "V2", to: "V3",
        steps: [
          convert(["count"], to: ["size"], .real),
          convert(["number"], to: ["whole"], .integer(.integer64)),
        ]),
    ]
    let folder = try TemporaryDirectory()
    let path = folder.path("default.store")
    try createFixture(
      app: "Shop", version: "V1", model: versions[0].model, at: path,
      options: FixtureOptions(rows: 40, seed: 3))
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      let keys = try connection.rows("SELECT Z_PK FROM ZITEM ORDER BY Z_PK")
      let rows: [(Double, String)] = [(2, "2 g"), (2.5, "1.5 g"), (1e30, "1½ g"), (-3, "3 g")]
      try #require(keys.count >= rows.count)
      try connection.execute("DELETE FROM ZITEM WHERE Z_PK > ?", [keys[rows.count - 1][0]])
      for (key, row) in zip(keys, rows) {
        try connection.execute(
          "UPDATE ZITEM SET ZAMOUNT = ?, ZTEXT = ?, ZNOTES = NULL WHERE Z_PK = ?",
          [.real(row.0), .text(row.1), key[0]])
      }
    }
    let migrator = StoreMigrator(catalog: Catalog(versions: versions, migrations: migrations))
    let request = MigrationRequest(acceptedLosses: ["all"])
    let losses = try migrator.plan(for: path, request).losses
    #expect(
      losses.map { "\($0.step) \($0.rows)" } == [
        "V1-V2:Item.amount 2", "V1-V2:Item.text 1", "V2-V3:Item.number 2",
      ])
    let report = try migrator.apply(to: path, request)
    #expect(report.losses == losses)
    let entries = Dictionary(
      uniqueKeysWithValues: report.ledger.filter { $0.entity == "Item" }.map { ($0.property, $0) })
    var amount = LedgerEntry(entity: "Item", property: "amount")
    (amount.rows, amount.converted, amount.rounded, amount.clamped) = (4, 2, 1, 1)
    #expect(entries["amount"] == amount)
    var text = LedgerEntry(entity: "Item", property: "text")
    (text.rows, text.converted, text.rounded, text.computed) = (4, 2, 1, 1)
    #expect(entries["text"] == text)
    let verified = try migrator.verify(path)
    #expect(verified.isPassed, "\(verified.checks.filter { !$0.isPassed })")
  }
}

extension Value {
  fileprivate init(_ text: String?) { self = text.map { .text($0) } ?? .null }
}

extension LedgerEntry {
  fileprivate var lost: Int64 { rounded + clamped + computed }
}
