import Platform
import Processes
import SQLite
import StoreFormat
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration
import Migrations

/// Stores of random models go to random next models, and back to what they were.
@Suite struct RandomRoundTripTests {
  /// The number of pairs; `OUTBOX_MIGRATE_PAIRS` gives another.
  private static let pairs =
    environment("OUTBOX_MIGRATE_PAIRS").flatMap(UInt64.init) ?? UInt64(rounds(20, all: 60))

  @Test func `a migrated store keeps the rules, and a rollback gives the old one`() throws {
    let seed = printedSeed("migrations there and back", below: 1_000_000_000)
    var counts: [String: Int] = [:]
    for round in 0..<Self.pairs {
      let name = "seed \(seed + round)"
      do {
        let folder = try TemporaryDirectory()
        var models = RandomModels(seed: seed + round)
        let (path, old, next) = try models.store(in: folder)
        let trip = RoundTrip(path: path, old: old, next: next, isCut: round % 5 == 0, name: name)
        counts[try trip.run(), default: 0] += 1
      } catch {
        Issue.record(error, "\(name)")
      }
    }
    #expect(counts[RoundTrip.migrated, default: 0] > 0)
    print(
      counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "; "))
  }
}

/// A migration of a random store, and the ways back.
private struct RoundTrip {
  static let migrated = "migrated"

  let path: String
  let old: Model
  let next: SchemaFile

  /// Whether the store loses its model cache before.
  let isCut: Bool
  let name: String

  /// Migrates the store, and returns what became of it.
  func run() throws -> String {
    try expectSound(old, "before")
    var migrator = try bundledMigrator()
    let schema = try migrator.capture(path, app: "Zoo", version: "V1")
    if isCut {
      migrator = StoreMigrator(catalog: migrator.catalog.giving(schema))
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("DROP TABLE Z_MODELCACHE")
      try connection.walCheckpointTruncate()
    }
    let (before, values) = (try contents(), try CarriedValues(path, old))
    let request = MigrationRequest(schema: next, acceptedLosses: ["all"])
    let plan: Plan
    do throws(MigrationError) {
      plan = try migrator.plan(for: path, request)
    } catch {
      return "refused, status \(error.exitStatus.rawValue)"
    }
    if let blocker = plan.blockers.first { return "blocked, \(blocker.code)" }
    guard plan.hasChanges else { return "no changes" }
    let snapshot = try migrator.apply(to: path, request).snapshot
    try expectSound(next.model, "after")
    let losses = try CarriedValues(path, next.model).losses(from: values).sorted()
    #expect(losses == [], "\(name)")
    // The new store has a model cache of its own.
    try goBack(to: schema, bundledMigrator())
    _ = try migrator.rollback(path, to: snapshot)
    try expectContents(before)
    return Self.migrated
  }

  /// Migrates the new store to the old model, if the models allow it, and takes that back.
  private func goBack(to schema: SchemaFile, _ migrator: StoreMigrator) throws {
    let request = MigrationRequest(schema: schema, acceptedLosses: ["all"])
    guard let plan = try? migrator.plan(for: path, request), plan.hasChanges, plan.blockers.isEmpty
    else { return }
    let before = try contents()
    _ = try migrator.apply(to: path, request)
    try expectSound(old, "after migrating back")
    _ = try migrator.rollback(path)
    try expectContents(before)
  }

  /// Returns all rows of the store, and the files of large values.
  private func contents() throws -> [String] {
    let folder = StoreFiles(path: path).externalDataFolder
    guard try FileSystem.exists(folder) else { return try dump(path) }
    return try dump(path)
      + FileSystem.list(folder).map { "\($0): \(try FileSystem.read("\(folder)/\($0)"))" }
  }

  private func expectContents(_ before: [String]) throws {
    let (old, new) = (Set(before), Set(try contents()))
    #expect(new.subtracting(old).sorted().prefix(3).map(\.self) == [], "\(name)")
    #expect(old.subtracting(new).sorted().prefix(3).map(\.self) == [], "\(name)")
  }

  private func expectSound(_ model: Model, _ state: String) throws {
    let report = try bundledMigrator().verify(path)
    #expect(report.isPassed, "\(name) \(state): \(report.checks.flatMap(\.details))")
    let complaints = try ReferenceCheck.complaints(of: path, model, isRewritten: true)
    #expect(complaints == [], "\(name) \(state)")
  }
}
