import Platform
import SQLite
import StoreAccess
import StoreExchange
import StoreFormat
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import StoreProof

/// `apply --rows deliverable` on a store whose outbox has documented rows.
@Suite struct DocumentedOutboxTests {
  static let owner = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"
  static let documented = MigrationRequest(userID: owner)
  static let deliverable = MigrationRequest(userID: owner, rows: .deliverable)

  /// A store with documented rows, and one with deliverable rows made directly.
  private func makePair(
    in folder: TemporaryDirectory, _ other: TemporaryDirectory, seed: UInt64
  ) throws -> (path: String, direct: String) {
    let path = try makeStore("V6", rows: 150, seed: seed, users: 2, in: folder)
    let direct = other.path("default.store")
    try FileSystem.copy(path, to: direct)
    return (path, direct)
  }

  @Test func `documented rows become the deliverable ones of a direct migration`() throws {
    let seed = printedSeed(below: 100_000)
    let (folder, other) = (try TemporaryDirectory(), try TemporaryDirectory())
    let (path, direct) = try makePair(in: folder, other, seed: seed)
    let original = try sha256(ofFile: path)
    let migrator = try bundledMigrator()
    let expected = try migrator.apply(to: direct, Self.deliverable)
    _ = try migrator.apply(to: path, Self.documented)
    let before = try fingerprint(of: folder)
    let plan = try migrator.plan(for: path, Self.deliverable)
    #expect(try fingerprint(of: folder) == before, "a plan changes nothing")
    #expect(plan.from == "V6" && plan.hasChanges && plan.blockers.isEmpty)
    let report = try migrator.apply(to: path, Self.deliverable)
    #expect(report.hasChanges)
    #expect(plan.delivery == report.delivery && report.delivery == expected.delivery)
    #expect(plan.rowsWritten == report.rowsWritten && report.ledger == expected.ledger)
    for warnings in [plan.warnings, report.warnings] {
      #expect(warnings.contains { $0.code == "rolled-back-first" })
    }
    #expect(try dump(path) == dump(direct))
    let verified = try migrator.verify(path, comparesReceipt: true, forecastsQueue: true)
    #expect(verified.isPassed, "\(verified.checks.filter { !$0.isPassed })")
    #expect(try !migrator.apply(to: path, Self.deliverable).hasChanges)
    let migrated = try sha256(ofFile: path)
    #expect(try migrator.rollback(path).to == "V6")
    #expect(try sha256(ofFile: path) == original)
    _ = try migrator.rollback(path)
    #expect(try sha256(ofFile: path) == migrated)
  }

  @Test func `a saved plan carries out the same`() throws {
    let (folder, other) = (try TemporaryDirectory(), try TemporaryDirectory())
    let (path, direct) = try makePair(in: folder, other, seed: 4)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: direct, Self.deliverable)
    _ = try migrator.apply(to: path, Self.documented)
    let plan = try migrator.planFile(for: path, Self.deliverable)
    #expect(plan.store == "default.store")
    let report = try migrator.apply(plan, to: path)
    #expect(report.delivery == plan.plan.delivery)
    #expect(report.warnings == plan.plan.warnings)
    #expect(try dump(path) == dump(direct))
  }

  /// What the app wrote since isn't in the snapshot.
  @Test func `a store that was written to since is refused, and names the rollback`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 60, in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.documented)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("UPDATE ZSDOUTBOXEVENT SET ZPRIORITY = 7 WHERE Z_PK = 3")
    }
    let before = try fingerprint(of: folder)
    let errors = [
      #expect(throws: MigrationError.self) { try migrator.apply(to: path, Self.deliverable) },
      #expect(throws: MigrationError.self) { try migrator.plan(for: path, Self.deliverable) },
    ]
    for error in errors {
      #expect(error?.exitStatus == .refused)
      #expect(error?.description.contains("to go back to V6") == true)
    }
    #expect(try fingerprint(of: folder) == before)
    _ = try migrator.rollback(path, laterWrites: .keep)
    #expect(try migrator.apply(to: path, Self.deliverable).hasChanges)
  }

  @Test func `what options can remove is refused before the rollback`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 60, users: 0, in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.documented)
    let before = try fingerprint(of: folder)
    let request = MigrationRequest(rows: .deliverable)
    let plan = try migrator.plan(for: path, request)
    #expect(plan.blockers.map(\.code) == ["user-id-needed"])
    let error = #expect(throws: MigrationError.self) { try migrator.apply(to: path, request) }
    #expect(error?.exitStatus == .misuse)
    #expect(try fingerprint(of: folder) == before)
  }

  @Test func `without the snapshot there is nothing to make them from`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 60, in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.documented)
    try FileSystem.removeTree(path + ".snapshots")
    let error = #expect(throws: MigrationError.self) {
      try migrator.apply(to: path, Self.deliverable)
    }
    #expect(error?.exitStatus == .refused)
    #expect(error?.description.contains("no snapshot") == true)
  }
}
