import Platform
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
  private static let pairs = environment("OUTBOX_MIGRATE_PAIRS").flatMap(UInt64.init) ?? 60

  @Test func `a migrated store keeps the rules, and a rollback gives the old one`() throws {
    let seed = printedSeed("migrations there and back", below: 1_000_000_000)
    var migrated = 0
    for round in 0..<Self.pairs {
      let folder = try TemporaryDirectory()
      var models = RandomModels(seed: seed + round)
      let (path, next) = try models.store(in: folder)
      let name = "seed \(seed + round)"
      do {
        if try goesThereAndBack(path, next, cut: round % 5 == 0, name) { migrated += 1 }
      } catch {
        Issue.record(error, "\(name)")
      }
    }
    #expect(migrated > 0)
    print("\(migrated) of \(Self.pairs) pairs were migrated; the models of the others forbid it")
  }

  /// Migrates a store and rolls it back; `cut` takes its model cache away before.
  private func goesThereAndBack(
    _ path: String, _ next: SchemaFile, cut: Bool, _ name: String
  ) throws -> Bool {
    var migrator = try bundledMigrator()
    if cut {
      let schema = try migrator.capture(path, app: "Zoo", version: "V1")
      migrator = StoreMigrator(catalog: migrator.catalog.giving(schema))
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("DROP TABLE Z_MODELCACHE")
      try connection.walCheckpointTruncate()
    }
    try expectSound(path, migrator, "\(name) before")
    let before = try dump(path)
    let request = MigrationRequest(schema: next, acceptedLosses: ["all"])
    guard let plan = try? migrator.plan(for: path, request), plan.hasChanges,
      plan.blockers.isEmpty
    else { return false }
    _ = try migrator.apply(to: path, request)
    // The new store has a model cache of its own.
    try expectSound(path, try bundledMigrator(), "\(name) after")
    _ = try migrator.rollback(path)
    #expect(try dump(path) == before, "\(name)")
    return true
  }

  private func expectSound(_ path: String, _ migrator: StoreMigrator, _ name: String) throws {
    let report = try migrator.verify(path)
    #expect(report.isPassed, "\(name): \(report.checks.flatMap(\.details))")
  }
}
