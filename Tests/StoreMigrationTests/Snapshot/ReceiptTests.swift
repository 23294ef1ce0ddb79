import Platform
import SQLite
import StoreFormat
import TestSupport
import Testing

@testable import StoreExchange
@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreModel
import StoreProof

/// What a receipt has, and a store beside its receipt later.
@Suite struct ReceiptTests {
  static let owner = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"
  static let request = MigrationRequest(userID: owner)

  private func execute(_ statement: String, on path: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(statement)
  }

  private func newest(_ path: String) throws -> (SnapshotFolder, Receipt) {
    try #require(try SnapshotFolder.done(of: StoreFiles(path: path)).last)
  }

  @Test func `a receipt has the plan's numbers and reads back as it was written`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 30, in: folder)
    let migrator = try bundledMigrator()
    let plan = try migrator.plan(for: path, Self.request)
    _ = try migrator.apply(to: path, Self.request)
    let (snapshot, receipt) = try newest(path)
    let done = try RunDetails(receipt.details).plan
    #expect(done?.steps == plan.steps)
    #expect(done?.conversions == plan.conversions)
    #expect(done?.losses == plan.losses)
    #expect(
      try Receipt(parsing: FileSystem.read(snapshot.file(.receipt).path), file: nil) == receipt)
    #expect(receipt.before == receipt.after)
    _ = try migrator.rollback(path)
    // Kept, so that going back to this snapshot keeps what is known about the apply.
    #expect(try RunDetails(newest(path).1.details).plan?.steps == plan.steps)
  }

  @Test func `a receipt has the hashes of what stood beside the store`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 30, in: folder)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.set(.noCheckpointOnClose, to: true)
      try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.5")
    }
    // A journal that is over.
    try FileSystem.create(path + "-journal", [UInt8](repeating: 0, count: 512))
    let journal = try FileDescriptor(opening: path + "-journal").hash()
    let value = try folder.createExternalData() + "/A"
    try FileSystem.create(value, [1, 2, 3])
    let external = ["A": try FileDescriptor(opening: value).hash()]
    _ = try bundledMigrator().apply(to: path, Self.request)
    let receipt = try newest(path).1
    #expect(receipt.before.journal == journal)
    #expect(receipt.before.external == external)
    #expect(receipt.after == Receipt.Companions(external: external))
    try FileSystem.remove(value)
    _ = try bundledMigrator().rollback(path)
    let back = try newest(path).1
    #expect(back.before.external == [:])
    #expect(back.after.external == external)
  }

  @Test func `a rollback's receipt has the external data that the rollback left`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 30, in: folder)
    let value = try folder.createExternalData() + "/A"
    try FileSystem.create(value, [1, 2, 3])
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.request)
    try FileSystem.replace(value, with: [4])
    #expect(try migrator.verify(path, comparesReceipt: true).receipt?.files.changed == 1)
    // The same bytes return again and again, and nothing counts as written since.
    for expected: [UInt8] in [[1, 2, 3], [4], [1, 2, 3]] {
      _ = try migrator.rollback(path)
      #expect(try FileSystem.read(value) == expected)
      #expect(try migrator.verify(path, comparesReceipt: true).receipt?.files == FileChanges())
      #expect(try migrator.snapshots(of: path, checks: true).snapshots.map(\.problem) == [nil])
    }
    try FileSystem.remove(value)
    try FileSystem.createDirectory(value, mode: 0o755)
    #expect(try migrator.verify(path, comparesReceipt: true).receipt?.files.changed == 1)
    for isDryRun in [true, false] {
      let error = #expect(throws: MigrationError.self) {
        try isDryRun ? migrator.rollback(path, dryRun: true) : migrator.rollback(path)
      }
      #expect(error?.description.contains("isn't a file; move it away") == true)
    }
  }

  @Test(arguments: sample(5, of: KeepChangesTests.ways), [UInt64(3), 815])
  func `what was written since is counted as a comparison in dictionaries counts it`(
    way: (app: String, from: String, to: String), seed: UInt64
  ) throws {
    let label = "\(way.app) \(way.from)-\(way.to), seed \(seed)"
    let folder = try TemporaryDirectory()
    let path = try makeStore(way.from, of: way.app, rows: 30, seed: seed, users: 2, in: folder)
    let migrator = try bundledMigrator()
    let applied = try migrator.apply(
      to: path, MigrationRequest(target: way.to, userID: Self.owner, acceptedLosses: ["all"]))
    let base = try EntityRows(of: path)
    let untouched = try migrator.verify(path, comparesReceipt: true)
    #expect(untouched.isPassed, "\(label): \(untouched.checks.flatMap(\.details))")
    #expect(untouched.receipt?.isUnchanged == true)
    #expect(untouched.receipt?.changes == [])
    let values = applied.ledger.filter { $0.property != "Z_OPT" && !$0.entity.hasPrefix("ATRANS") }
      .filter { $0.entity != "ACHANGE" }.reduce(0) { $0 + $1.rows }
    let account = try #require(untouched.checks.first { $0.name == "ledger" }?.details.first)
    #expect(account.hasPrefix("\(values.grouped) values accounted for"), "\(label)")

    var edits = RandomWrites(seed: seed)
    try edits.run(on: path, count: 30)
    let before = try fingerprint(of: folder)
    let report = try migrator.verify(path, comparesReceipt: true)
    #expect(try fingerprint(of: folder) == before)
    #expect(report.isPassed, "\(label): \(report.checks.filter { !$0.isPassed })")
    #expect(report.receipt?.isUnchanged == false)
    let detail = report.checks.first { $0.name == "ledger" }?.details.first
    #expect(detail == account + "; the store has changed since")
    let changes = try #require(report.receipt?.changes)
    let expected = base.changes(to: try EntityRows(of: path))
    #expect(Set(changes) == Set(expected), "\(label)")
  }

  @Test func `opening the store and new history are no change`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.request)
    try execute(
      """
      UPDATE ZSDMOODENTRY SET Z_OPT = Z_OPT + 1; UPDATE ZSDOUTBOXEVENT SET Z_OPT = 7;
      DELETE FROM ACHANGE; DELETE FROM ATRANSACTION
      """, on: path)
    let report = try migrator.verify(path, comparesReceipt: true)
    #expect(report.isPassed, "\(report.checks.filter { !$0.isPassed })")
    #expect(report.receipt?.isUnchanged == true)
  }

  @Test func `after a rollback changes are seen and can't be told by entity`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.request)
    _ = try migrator.rollback(path)
    #expect(try migrator.verify(path, comparesReceipt: true).receipt?.isUnchanged == true)
    try execute("DELETE FROM ZSDGOAL", on: path)
    let report = try migrator.verify(path, comparesReceipt: true)
    #expect(report.isPassed)
    #expect(report.receipt?.kind == .rollback)
    #expect(report.receipt?.isUnchanged == false)
    #expect(report.receipt?.changes == nil)
    #expect(
      report.warnings.map(\.message) == ["changes since a rollback can't be counted by entity"])
  }

  @Test(arguments: [3, -1])
  func `a snapshot that was tampered with fails verification`(place: Int64) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.request)
    let (snapshot, _) = try newest(path)
    let file = try FileDescriptor(opening: snapshot.mainFile.path, for: .updating)
    try file.write([0x58], at: place < 0 ? try file.status().size + place : place)
    let report = try migrator.verify(path)
    #expect(
      report.checks.filter { !$0.isPassed }.flatMap(\.details)
        == ["'\(snapshot.name)': its store doesn't match its receipt"])
  }

  @Test func `a migration that was edited since is a failure only to who asks for the receipt`()
    throws
  {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    _ = try bundledMigrator().apply(to: path, Self.request)
    let catalog = Catalog.bundled
    let edited = catalog.migrations.filter { $0.name == "V6-V7" }.map {
      Migration(app: $0.app, from: $0.from, to: $0.to, steps: $0.steps, checksum: "other")
    }
    let migrator = StoreMigrator(
      catalog: catalog.merging(Catalog(versions: [], migrations: edited)))
    let quiet = try migrator.verify(path)
    #expect(quiet.isPassed)
    let ledger = try #require(quiet.checks.first { $0.name == "ledger" })
    #expect(ledger.isPassed && ledger.uncheckedReason?.contains("can't be repeated") == true)
    let report = try migrator.verify(path, comparesReceipt: true)
    #expect(report.checks.filter { !$0.isPassed }.map(\.name) == ["receipt"])
  }

  @Test func `a store without a receipt has none to be compared with`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    let error = #expect(throws: MigrationError.self) {
      try bundledMigrator().verify(path, comparesReceipt: true)
    }
    #expect(error?.exitStatus == .failed)
    #expect(error?.description.contains("has no receipt") == true)
  }
}

extension EntityRows {
  /// The rows added, changed and removed, by entity.
  fileprivate func changes(to later: EntityRows) -> [EntityChange] {
    Set(rows.keys).union(later.rows.keys).compactMap { entity in
      let (old, new) = (self[entity], later[entity])
      let change = EntityChange(
        entity: entity, added: Int64(Set(new.keys).subtracting(old.keys).count),
        changed: Int64(old.count { key, row in new[key].map { $0 != row } ?? false }),
        removed: Int64(Set(old.keys).subtracting(new.keys).count))
      return change.added + change.changed + change.removed > 0 ? change : nil
    }
  }
}
