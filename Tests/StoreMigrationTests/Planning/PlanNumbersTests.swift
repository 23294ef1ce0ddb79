import RowInspection
import SQLite
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
@testable import StoreProof

/// The counts of a plan equal those that apply reports.
@Suite struct PlanNumbersTests {
  private static let versions =
    (1...7).map { ("Lume", "V\($0)") } + (1...11).map { ("FitIQ", "V\($0)") }
    + [("Lume", "V6@plan"), ("Lume", "V7@additive"), ("FitIQ", "V3@guide")]

  @Test(arguments: sample(8, of: versions))
  func `every version's stores`(app: String, version: String) throws {
    let seed = printedSeed(below: 100_000)
    var numbers = SeededGenerator(seed: seed)
    let folder = try TemporaryDirectory()
    let path = try makeStore(
      version, of: app, rows: numbers.below(90), seed: seed, users: numbers.below(4), in: folder)
    let newest = try bundledMigrator().plan(for: path).to
    let target = try randomTarget(from: version, to: newest, of: app, &numbers)
    try check(
      path, MigrationRequest(target: target, userID: "someone", acceptedLosses: ["all"]),
      "\(app) \(version) to \(target ?? newest), seed \(seed)")
  }

  @Test func `a store whose values stand in the wrong rows`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", of: "FitIQ", rows: 50, seed: 9, users: 2, in: folder)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      // Creates rows without values, and rows that no link leads to.
      try connection.execute("UPDATE ZSDUSERPROFILE SET ZBIO = NULL")
      try connection.execute("DELETE FROM ZSDMEAL WHERE Z_PK % 2 = 0")
    }
    try check(path, MigrationRequest(acceptedLosses: ["all"]), "FitIQ V6, changed")
  }

  @Test func `entities that the target doesn't have are lost by the row`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", rows: 50, seed: 11, in: folder)
    let migrator = try migratorWithoutStatistics()
    let count = Int64(try rows(of: "ZSDSTATISTICS", in: path).count)
    let plan = try migrator.plan(for: path)
    #expect(
      plan.losses == [PlannedLoss(step: "V7-V8:SDStatistics", object: "SDStatistics", rows: count)])
    let told = try migrator.explain("SDStatistics/1", of: path)
    #expect(told.newEntity == nil)
    #expect(told.events.map(\.rule) == ["the row has no place in V8"])
    try check(path, MigrationRequest(acceptedLosses: ["all"]), "Lume V8", migrator)
  }

  /// A version of Lume in which an entity is gone.
  private func migratorWithoutStatistics() throws -> StoreMigrator {
    let catalog = Catalog.bundled
    let old = try #require(catalog.version("V7", of: "Lume")).model
    let entities = old.entities.filter { $0.name != "SDStatistics" }
    let model = Model(
      entities: entities, versionIdentifiers: ["8.0.0"],
      configurations: ["default": entities.map(\.name)], dialect: old.dialect)
    let version = ModelVersion(SchemaFile(app: "Lume", version: "V8", model: model))
    let migration = Migration(
      app: "Lume", from: "V7", to: "V8", steps: [.dropEntity("SDStatistics")])
    return StoreMigrator(
      catalog: catalog.merging(Catalog(versions: [version], migrations: [migration])))
  }

  /// Plans, saves the plan, applies it and compares.
  private func check(
    _ path: String, _ request: MigrationRequest, _ name: String, _ other: StoreMigrator? = nil
  ) throws {
    let migrator = try other ?? bundledMigrator()
    let plan = try migrator.plan(for: path, request)
    let file = try migrator.planFile(for: path, request)
    #expect(plan.withoutMarks == file.plan.withoutMarks, "\(name)")
    let read = try PlanFile(parsing: Array(file.text.utf8), file: nil)
    #expect(read == file, "\(name)")
    let report = try migrator.apply(read, to: path)
    #expect(report.from == plan.from && report.to == plan.to, "\(name)")
    #expect(report.rowsWritten == plan.rowsWritten, "\(name)")
    #expect(report.conversions == plan.conversions, "\(name)")
    #expect(report.losses == plan.losses, "\(name)")
    for conversion in plan.conversions {
      #expect(conversion.classes.reduce(0) { $0 + $1.count } == conversion.rows, "\(name)")
    }
    guard let snapshot = report.snapshot else { return }
    try compareWithDifference(plan, from: snapshot + "/default.store", to: path, name, migrator)
  }

  /// A comparison of the two stores counts the same rows as the plan did.
  private func compareWithDifference(
    _ plan: Plan, from old: String, to new: String, _ name: String, _ migrator: StoreMigrator
  ) throws {
    let difference = try migrator.difference(between: old, and: new)
    let lost = plan.losses.filter { !$0.object.contains(".") }.reduce(0) { $0 + $1.rows }
    #expect(difference.entities.reduce(0) { $0 + $1.rowsOnlyInA } == lost, "\(name)")
    #expect(difference.entities.reduce(0) { $0 + $1.rowsOnlyInB } == 0, "\(name)")
    // Of the additive edition only some rows are converted.
    for conversion in plan.conversions where !name.contains("@additive") {
      let parts = conversion.object.split(separator: ".").map(String.init)
      let entity = try #require(difference.entities.first { $0.name.a == parts[0] }, "\(name)")
      #expect(entity.rowsChanged + entity.rowsEqual == conversion.rows, "\(name)")
      let names = entity.unpaired.map(\.name.a) + entity.properties.map(\.name.a)
      // A composite is compared by its parts.
      #expect(
        names.contains { $0 == parts[1] || $0?.hasPrefix(parts[1] + ".") == true },
        "\(name), \(conversion.object)")
    }
    for loss in plan.losses where loss.object.contains(".") {
      let property = loss.object.split(separator: ".").last.map(String.init) ?? ""
      let unpaired = difference.entities.flatMap(\.unpaired).filter { unpaired in
        let name = unpaired.name.a ?? ""
        return name == property || name.hasPrefix(property + ".")
      }
      let values = unpaired.map(\.valuesInA).max() ?? 0
      #expect(values >= loss.rows, "\(name), \(loss.object)")
    }
  }

  /// A random intermediate version, or `nil` for the newest.
  private func randomTarget(
    from version: String, to newest: String, of app: String, _ numbers: inout SeededGenerator
  ) throws -> String? {
    let catalog = Catalog.bundled
    guard numbers.below(2) == 0, let start = catalog.version(version, of: app),
      let end = catalog.version(newest, of: app), let path = catalog.path(from: start, to: end),
      !path.isEmpty
    else { return nil }
    return path[numbers.below(path.count)].to
  }
}

extension Plan {
  /// The plan with fingerprints that don't change from run to run.
  fileprivate var withoutMarks: Plan {
    var plan = self
    plan.examples = examples.map { example in
      PlanExample(
        entity: example.entity, newEntity: example.newEntity, key: example.key,
        kind: example.kind, before: example.before.map(\.withoutMark),
        after: example.after.map(\.withoutMark))
    }
    return plan
  }
}

extension PlanExample.Part {
  fileprivate var withoutMark: Self {
    Self(
      attribute: attribute,
      fingerprint: ValueFingerprint(
        kind: fingerprint.kind, byteCount: fingerprint.byteCount, digits: nil, revealed: nil))
  }
}
