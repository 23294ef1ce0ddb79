import Platform
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Stores that mirror to CloudKit, migrated with '--cloudkit carry' or refused.
@Suite struct MirroringTests {
  private func request(
    to target: String? = nil, schema: SchemaFile? = nil, accepting losses: [String] = ["all"]
  ) -> MigrationRequest {
    MigrationRequest(
      target: target, schema: schema, userID: "6F9619FF-8B86-4D01-B42D-00CF4FC964FF",
      acceptedLosses: losses, mirroring: .carry)
  }

  private func change(_ path: String, _ sql: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(sql)
  }

  /// Versions between which numbers move and no entity is renamed.
  private static let moves = [
    ("FitIQ", "V2", "V8"), ("FitIQ", "V3", "V6"), ("FitIQ", "V5", "V8"), ("FitIQ", "V7", "V8"),
    ("Lume", "V1", "V6"), ("Lume", "V3", "V4"), ("Lume", "V5", "V7"), ("Lume", "V6", "V7"),
  ]

  @Test(arguments: moves)
  func `the mirroring follows the entities, and goes back to the bit`(
    app: String, from: String, to: String
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(from, of: app, isMirrored: true, in: folder)
    let hash = try sha256(ofFile: path)
    let (old, numbers) = (try MirroredCopy(of: path), try MirroredCopy.numbers(in: path))
    #expect(old.tables.count == 18 && numbers.count == 18)
    let migrator = try bundledMigrator()
    let report = try migrator.apply(to: path, request(to: to))
    let new = try MirroredCopy(of: path)
    #expect(new.tables == old.migrated(to: new))
    #expect(try MirroredCopy.numbers(in: path) == numbers)
    let entry = try #require(
      report.ledger.first {
        $0.entity == "ANSCKRECORDMETADATA" && $0.property == "ZENTITYID"
      })
    #expect(entry.addsUp && entry.setAside == 0)
    let verified = try migrator.verify(path)
    let failed = verified.checks.filter { !$0.isPassed }
    // Some rows of fixtures lack what is mandatory.
    #expect(failed.allSatisfy { $0.name == "mandatory-values" }, "\(failed)")
    #expect(verified.checks.contains { $0.name == "cloudkit" })
    _ = try migrator.rollback(path)
    #expect(try sha256(ofFile: path) == hash)
  }

  @Test func `random models follow a slow copy, or are refused for a rename`() throws {
    let seed = printedSeed("mirrored models", below: 1_000_000_000)
    let needed = rounds(3, torture: 12)
    var (migrated, moved) = (0, 0)
    // Most pairs of models are refused, for a rename.
    for round in 0..<200 where migrated < needed {
      let folder = try TemporaryDirectory()
      var models = RandomModels(seed: seed + UInt64(round))
      let (path, _, schema) = try models.store(isMirrored: true, in: folder)
      let (hash, old) = (try sha256(ofFile: path), try MirroredCopy(of: path))
      let migrator = try bundledMigrator()
      guard (try? migrator.plan(for: path, request(schema: schema)))?.blockers.isEmpty == true
      else { continue }
      let report = try migrator.apply(to: path, request(schema: schema))
      if report.snapshot == nil { continue }
      let new = try MirroredCopy(of: path)
      #expect(new.tables == old.migrated(to: new), "seed \(seed + UInt64(round))")
      migrated += 1
      if new.tables != old.tables { moved += 1 }
      _ = try migrator.rollback(path)
      #expect(try sha256(ofFile: path) == hash, "seed \(seed + UInt64(round))")
    }
    print("\(migrated) migrated, \(moved) with other numbers or fewer rows")
    #expect(migrated == needed, "seed \(seed)")
  }

  private static func model(_ names: String..., version: String) -> SchemaFile {
    let entities = names.map {
      Entity(
        name: $0,
        properties: [.attribute(Attribute(name: "name", type: .string, isOptional: true))])
    }
    return SchemaFile(
      app: "Zoo", version: "V\(version.prefix(1))",
      model: Model(
        entities: entities, versionIdentifiers: [version], configurations: ["default": names]))
  }

  private func makeZoo(in folder: TemporaryDirectory) throws -> String {
    let path = folder.path("default.store")
    try createFixture(
      app: "Zoo", version: "V1", model: Self.model("Ape", "Bee", "Cat", version: "1.0.0").model,
      at: path, options: FixtureOptions(rows: 20, isMirrored: true))
    return path
  }

  @Test func `records of a removed entity are a loss of its step`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeZoo(in: folder)
    let schema = Self.model("Ant", "Bee", "Cat", version: "2.0.0")
    let migrator = try bundledMigrator()
    let old = try MirroredCopy(of: path)
    let gone = old.tables.values.flatMap(\.self).count { $0["ZENTITYID"] == .integer(1) }
    let apes = try rows(of: "ZAPE", in: path).count
    let losses = try migrator.plan(for: path, request(schema: schema)).losses
    let step = try #require(losses.first?.step)
    #expect(
      losses == [
        PlannedLoss(step: step, object: "Ape", rows: Int64(apes)),
        PlannedLoss(step: step, object: "Ape (CloudKit)", rows: Int64(gone)),
      ])
    let refused = #expect(throws: MigrationError.self) {
      try migrator.apply(to: path, request(schema: schema, accepting: []))
    }
    #expect(refused?.exitStatus == .refused)
    let report = try migrator.apply(to: path, request(schema: schema, accepting: [step]))
    let aside = report.ledger.filter { $0.property == "ZENTITYID" }.reduce(0) { $0 + $1.setAside }
    #expect(aside == Int64(gone))
    let new = try MirroredCopy(of: path)
    #expect(new.tables == old.migrated(to: new))
    #expect(try migrator.verify(path).isPassed)
  }

  @Test func `a renamed entity is refused if the mirroring knows its rows`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V8", of: "FitIQ", isMirrored: true, in: folder)
    let migrator = try bundledMigrator()
    let blockers = try migrator.plan(for: path, request(to: "V9")).blockers
    #expect(blockers.map(\.code) == ["cloudkit-renamed"])
    let before = try fingerprint(of: folder)
    let error = #expect(throws: MigrationError.self) {
      try migrator.apply(to: path, request(to: "V9"))
    }
    #expect(error?.exitStatus == .unknownStore)
    #expect(error?.description.contains("'SDUserProfile'") == true)
    #expect(try fingerprint(of: folder) == before)
    let number = try Connection(path: path, mode: .readOnlyUnshared)
      .value("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'SDUserProfile'")?.int64
    for table in ["ANSCKRECORDMETADATA", "ANSCKHISTORYANALYZERSTATE"] {
      try change(path, "DELETE FROM \(table) WHERE ZENTITYID = \(number ?? 0)")
    }
    _ = try migrator.apply(to: path, request(to: "V9"))
  }

  @Test func `rows about unknown entities, and deliverable rows, are refused`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", isMirrored: true, in: folder)
    let migrator = try bundledMigrator()
    var deliverable = request()
    deliverable.rows = .deliverable
    let plan = try migrator.plan(for: path, deliverable)
    #expect(plan.blockers.first?.code == "cloudkit-rows")
    #expect(throws: MigrationError.self) { try migrator.apply(to: path, deliverable) }
    try change(path, "UPDATE ANSCKHISTORYANALYZERSTATE SET ZENTITYID = 99 WHERE Z_PK = 1")
    let blockers = try migrator.plan(for: path, request()).blockers
    #expect(blockers.map(\.code) == ["cloudkit-stray"] && blockers.map(\.rows) == [1])
    let error = #expect(throws: MigrationError.self) { try migrator.apply(to: path, request()) }
    #expect(error?.exitStatus == .unknownStore)
  }

  @Test func `what was recorded since can be discarded, and not merged`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V5", of: "FitIQ", isMirrored: true, in: folder)
    let hash = try sha256(ofFile: path)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, request(to: "V8"))
    try change(path, "UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1 WHERE Z_PK = 1")
    for writes in [nil, LaterWrites.keep] {
      let error = #expect(throws: MigrationError.self) {
        try migrator.rollback(path, laterWrites: writes)
      }
      #expect(error?.exitStatus == .refused)
      #expect(error?.description.contains("'--discard-changes'") == true)
    }
    let receipt = try migrator.verify(path, comparesReceipt: true).receipt
    #expect(receipt?.changes?.map(\.entity) == ["ANSCKRECORDMETADATA"])
    #expect(receipt?.changes?.map(\.added) == [1])
    _ = try migrator.rollback(path, laterWrites: .discard)
    #expect(try sha256(ofFile: path) == hash)
  }

  @Test(arguments: [
    "UPDATE ANSCKHISTORYANALYZERSTATE SET ZENTITYID = 1 WHERE Z_PK = 3",
    "UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 2 WHERE Z_PK = 3",
    "DELETE FROM ANSCKRECORDMETADATA WHERE Z_PK = 3",
    "INSERT INTO ANSCKHISTORYANALYZERSTATE (Z_ENT, ZENTITYID) VALUES (17006, 1)",
    "UPDATE ANSCKMETADATAENTRY SET ZKEY = 'key' WHERE Z_PK = 3",
    "UPDATE Z_PRIMARYKEY SET Z_ENT = 17030 WHERE Z_ENT = 17009",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT = 17012",
  ])
  func `a new store with another state of the mirroring is refused`(sql: String) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V5", of: "FitIQ", rows: 12, isMirrored: true, in: folder)
    let hash = try sha256(ofFile: path)
    let error = #expect(throws: MigrationError.self) {
      try bundledMigrator().apply(to: path, request(to: "V8")) { phase in
        guard phase == .proving else { return }
        do {
          let snapshots = path + ".snapshots"
          let snapshot = try #require(FileSystem.list(snapshots).first)
          let connection = try Connection(path: "\(snapshots)/\(snapshot)/work", mode: .readWrite)
          try connection.set(.defensive, to: false)
          try connection.execute(sql)
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect(error?.exitStatus == .verificationFailed, "\(error?.description ?? "")")
    #expect(try sha256(ofFile: path) == hash)
  }

  @Test func `an edit is refused, because the cloud doesn't learn of it`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", isMirrored: true, in: folder)
    let migrator = try bundledMigrator()
    for _ in 0..<2 {
      let error = #expect(throws: MigrationError.self) {
        _ = try migrator.edit(path, as: "test") { try $0.execute("DELETE FROM ZSDMOODENTRY") }
      }
      #expect(error?.description.contains("mirrors to CloudKit") == true)
    }
  }

  @Test func `the counts are those of the records`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V5", of: "FitIQ", isMirrored: true, in: folder)
    let records = try rows(of: "ANSCKRECORDMETADATA", in: path)
    let migrator = try bundledMigrator()
    let mirroring = try #require(try migrator.status(of: path).mirroring)
    #expect(mirroring.counts?.records == Int64(records.count))
    #expect(
      mirroring.counts?.uploads == Int64(records.count { $0["ZNEEDSUPLOAD"] == .integer(1) }))
    #expect(
      mirroring.counts?.deletions
        == Int64(records.count { $0["ZNEEDSCLOUDDELETE"] == .integer(1) }))
    #expect(mirroring.counts?.uploads != 0 && mirroring.counts?.deletions != 0)
    #expect(
      mirroring.changes.contains { $0.words == "SDUserProfile is renamed to SDUserProfileV11" })
    #expect(try migrator.status(of: path, countsRows: false).mirroring?.counts == nil)
  }
}

/// What `verify` finds in the tables of mirroring.
@Suite struct MirroringCheckTests {
  private func failures(
    after sql: String, migrated: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V5", of: "FitIQ", isMirrored: true, in: folder)
    let migrator = try bundledMigrator()
    if migrated {
      _ = try migrator.apply(
        to: path, MigrationRequest(target: "V8", acceptedLosses: ["all"], mirroring: .carry))
    }
    let known = try migrator.verify(path).checks.filter { !$0.isPassed }.map(\.name)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(sql)
    }
    return try migrator.verify(path).checks.filter { !$0.isPassed && !known.contains($0.name) }
      .flatMap { check in check.details.map { "\(check.name): \($0)" } }
  }

  @Test(arguments: [
    (
      "UPDATE ANSCKRECORDMETADATA SET ZENTITYID = 77 WHERE Z_PK = 1",
      "1 row of 'ANSCKRECORDMETADATA' is about an entity that isn't in the model"
    ),
    (
      "UPDATE ANSCKHISTORYANALYZERSTATE SET ZENTITYID = NULL WHERE Z_PK < 3",
      "2 rows of 'ANSCKHISTORYANALYZERSTATE' are about an entity that isn't in the model"
    ),
    (
      """
      DROP INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK;
      INSERT INTO ANSCKRECORDMETADATA (Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK, ZCKRECORDNAME)
        SELECT Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK, 'again' FROM ANSCKRECORDMETADATA WHERE Z_PK = 2;
      UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'NSCKRecordMetadata'
      """, "1 row has several records in 'ANSCKRECORDMETADATA'"
    ),
    (
      """
      UPDATE ANSCKRECORDMETADATA SET ZENTITYPK = 100000 WHERE Z_PK =
        (SELECT min(Z_PK) FROM ANSCKRECORDMETADATA WHERE ZNEEDSCLOUDDELETE = 0)
      """,
      "1 record of 'ANSCKRECORDMETADATA' is about a row that doesn't exist and isn't marked for deletion"
    ),
    (
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'NSCKMetadataEntry'",
      "Z_MAX of 'NSCKMetadataEntry' is 3, below its highest key 4"
    ),
  ])
  func `each kind of damage is named`(sql: String, message: String) throws {
    #expect(try failures(after: sql) == ["cloudkit: \(message)"])
  }

  @Test func `a row that was deleted since the last export is no damage`() throws {
    let failures = try failures(
      after: """
        UPDATE ANSCKRECORDMETADATA SET ZNEEDSCLOUDDELETE = 0
        """)
    // The fixture's deleted rows are in its history.
    #expect(failures == [])
  }

  @Test func `the entity numbers of mirroring are compared with the snapshot's`() throws {
    let failures = try failures(
      after: "UPDATE Z_PRIMARYKEY SET Z_ENT = 17020 WHERE Z_NAME = 'NSCKRecordZoneQuery'",
      migrated: true)
    let row = "the entity number of mirroring in 'Z_PRIMARYKEY' isn't as it was"
    #expect(failures == ["ledger: row 17018: \(row)", "ledger: row 17020: \(row)"])
  }
}
