import RowInspection
import SQLite
import StoreFormat
import StoreFixtures
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

@Suite struct ExplainTests {
  private static let versions =
    (4...6).map { ("Lume", "V\($0)") } + [2, 5, 6, 9, 10].map { ("FitIQ", "V\($0)") }
    + [("Lume", "V7@additive")]

  @Test(arguments: sample(4, of: versions))
  func `what is told of a row is what apply makes of it`(app: String, version: String) throws {
    let seed = printedSeed(below: 100_000)
    let folder = try TemporaryDirectory()
    let path = try makeStore(version, of: app, rows: 40, seed: seed, users: 2, in: folder)
    let migrator = StoreMigrator(catalog: .bundled)
    let request = MigrationRequest(userID: "me", acceptedLosses: ["all"])
    let before = try fingerprint(of: folder)
    var told: [Explanation] = []
    var numbers = SeededGenerator(seed: seed)
    for name in try migrator.status(of: path).entities.map(\.name) {
      let key = numbers.below(3) + 1
      do throws(MigrationError) {
        told.append(try migrator.explain("\(name)/\(key)", of: path, request))
      } catch {
        guard case .request(.noRow) = error.cause else { throw error }
      }
    }
    #expect(told.count > 2)
    #expect(try fingerprint(of: folder) == before)
    let report = try migrator.apply(to: path, request)
    let target = try #require(migrator.catalog.version(report.to, of: app))
    for explanation in told {
      let name = "\(explanation.entity)/\(explanation.key), seed \(seed)"
      let row = try migratedRow(explanation, target.model, path)
      let fates = explanation.fates.compactMap(\.target)
      #expect(Dictionary(grouping: fates, by: \.property).allSatisfy { $0.value.count == 1 })
      let texts = fates.map { "\($0.property): \($0.content)" }.sorted()
      #expect(texts == row.map { "\($0.key): \($0.value)" }.sorted(), "\(name)")
    }
  }

  /// What stands in the migrated store, marked in the same way.
  private func migratedRow(
    _ explanation: Explanation, _ model: Model, _ path: String
  ) throws -> [String: CellDifference.Content] {
    guard let entity = explanation.newEntity else { return [:] }
    let mask = ValueMask(of: [try StoreMigrator(catalog: .bundled).inspection(of: path).store])
    let table = try #require(StoreLayout(model).table(of: entity))
    let chain = model.chain(from: entity)
    let row = try #require(
      try rows(of: "\(table.name) WHERE Z_PK = \(explanation.key)", in: path).first)
    var contents: [String: CellDifference.Content] = [:]
    for column in table.columns {
      let value = row[column.name] ?? .null
      switch column.content {
      case .attribute(let owner, let names, let type) where chain.contains(owner):
        let name = names.joined(separator: ".").withoutRepetition
        contents[name] = .value(
          mask.fingerprint(
            of: value, named: "\(entity).\(names.joined(separator: "."))", type: type))
      case .foreignKey(let owner, let name) where chain.contains(owner):
        let other = model.relationship(named: name, of: entity)?.relationship.destinationName
        contents[name] =
          value.int64.map { .link(entity: other ?? "", key: $0) } ?? .value(.null)
      default: continue
      }
    }
    return contents
  }

  @Test func `a chain is told migration by migration, with the rule that fired`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V9", of: "FitIQ", rows: 30, seed: 2, in: folder)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        "UPDATE ZSDMOODENTRY SET ZVALENCE = -1.5, ZLABELS = NULL, ZSOURCEID = 'x' WHERE Z_PK = 1")
    }
    let told = try StoreMigrator(catalog: .bundled).explain("SDMoodEntry/1", of: path)
    let rules = Dictionary(
      uniqueKeysWithValues: told.events.map { ($0.object, $0.rule) })
    #expect(rules["SDMoodEntry.valence"] == "mood-value: clamped")
    #expect(rules["SDMoodEntry.labels"] == "no value to lose")
    #expect(rules["SDMoodEntry.sourceID"] == "lost: it has no place in V10")
    let profile = try StoreMigrator(catalog: .bundled).explain("sduserprofilev9/1", of: path)
    #expect(profile.newEntity == "SDUserProfileV11")
    #expect(
      profile.events.filter { $0.verb == "rename" }.map(\.rule)
        == ["the row is now in 'SDUserProfileV10'", "the row is now in 'SDUserProfileV11'"])
  }

  @Test func `a row is found by its id, in either case`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let id = try #require(try rows(of: "ZSDOUTBOXEVENT WHERE Z_PK = 3", in: path)[0]["ZID"]?.bytes)
    for text in [uuidText(id), uuidText(id).lowercased()] {
      let told = try StoreMigrator(catalog: .bundled).explain(text, of: path)
      #expect(told.entity == "SDOutboxEvent" && told.key == 3)
    }
  }

  @Test func `an id that several rows have is asked about`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let id = try #require(try rows(of: "ZSDOUTBOXEVENT WHERE Z_PK = 3", in: path)[0]["ZID"]?.bytes)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("UPDATE ZSDMOODENTRY SET ZID = ?1 WHERE Z_PK = 2", [.blob(id)])
    }
    let error = #expect(throws: MigrationError.self) {
      try StoreMigrator(catalog: .bundled).explain(uuidText(id), of: path)
    }
    #expect(
      error?.cause == .request(.severalRows(uuidText(id), ["SDMoodEntry/2", "SDOutboxEvent/3"])))
    #expect(error?.exitStatus == .misuse)
  }

  @Test(arguments: ["", "SDOutboxEvent", "SDOutboxEvent/x", "/1", "a/b/1", "12"])
  func `what names no row is refused`(text: String) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let error = #expect(throws: MigrationError.self) {
      try StoreMigrator(catalog: .bundled).explain(text, of: path)
    }
    #expect(error?.cause == .request(.badRow(text)))
  }

  @Test func `secrets aren't told, not even when values are`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      let payload =
        #"{"email":"a@b.example","nested":{"Password":"hunter2","refresh_token":"t0k"}}"#
      try connection.execute(
        "UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = CAST(?1 AS BLOB) WHERE Z_PK = 1", [.text(payload)])
    }
    let migrator = StoreMigrator(catalog: .bundled)
    let told = try migrator.explain("SDOutboxEvent/1", of: path, showsValues: true)
    let contents = (told.events.flatMap { $0.before + $0.after } + told.fates.compactMap(\.target))
      .map(\.content)
    let plan = try migrator.plan(for: path, showsValues: true)
    let file = try migrator.planFile(for: path, showsValues: true)
    for text in [
      "\(contents.map(\.revealed))",
      "\(plan.examples.flatMap { $0.before + $0.after }.map(\.fingerprint.revealed))", file.text,
    ] {
      #expect(text.contains("a@b.example"))
      #expect(!text.contains("hunter2") && !text.contains("t0k"))
    }
  }

  @Test(arguments: [("Dog", "the same value, in the sub-entity"), ("Cat", "lost")])
  func `a value that moves to a sub-entity is told as lost for the rows of others`(
    entity: String, rule: String
  ) throws {
    let call = Property.attribute(Attribute(name: "call", type: .string, isOptional: true))
    func model(_ pet: [Property], _ dog: [Property]) -> Model {
      Model(entities: [
        Entity(name: "Pet", properties: pet), Entity(name: "Cat", superentityName: "Pet"),
        Entity(name: "Dog", superentityName: "Pet", properties: dog),
      ])
    }
    let folder = try TemporaryDirectory()
    let path = folder.path("default.store")
    try createFixture(
      app: "Zoo", version: "V1", model: model([call], []), at: path,
      options: FixtureOptions(rows: 20, seed: 3))
    let key: Value
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("UPDATE ZPET SET ZCALL = 'c'")
      key = try #require(
        try connection.value(
          "SELECT Z_PK FROM ZPET JOIN Z_PRIMARYKEY USING (Z_ENT) WHERE Z_NAME = '\(entity)'"))
    }
    let schema = SchemaFile(app: "Zoo", version: "V2", model: model([], [call]))
    let told = try StoreMigrator(catalog: .bundled).explain(
      "\(entity)/\(key.int64 ?? 0)", of: path,
      MigrationRequest(schema: schema, acceptedLosses: ["all"]))
    let fate = try #require(told.fates.first { $0.sources.first?.property == "call" })
    #expect(fate.target?.property == (entity == "Dog" ? "call" : nil))
    #expect(fate.rules.first?.hasPrefix(rule) == true, "\(fate.rules)")
  }
}

extension CellDifference.Content {
  fileprivate var revealed: ValueFingerprint.Revealed? {
    if case .value(let fingerprint) = self { fingerprint.revealed } else { nil }
  }
}
