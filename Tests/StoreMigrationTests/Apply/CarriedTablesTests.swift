import Platform
import SQLite
import StoreExchange
import StoreFixtures
import StoreFormat
import StoreModel
import StoreProof
import TestSupport
import Testing

@testable import StoreMigration
import Migrations

/// What is known of tables that stay on their pages is what reading all rows of them would show.
@Suite struct CarriedTablesTests {
  private static let apps = [("Lume", "V6"), ("Lume", "V4"), ("FitIQ", "V8"), ("FitIQ", "V3")]

  private static func request(_ origin: MigrationRequest.FileOrigin) -> MigrationRequest {
    var request = MigrationRequest(userID: "somebody", acceptedLosses: ["all"])
    request.fileOrigin = origin
    return request
  }

  private static func newest(_ path: String) throws -> (SnapshotFolder, Receipt) {
    try #require(try SnapshotFolder.newest(of: StoreFiles(path: path)))
  }

  private static func content(
    of store: StoreDescription, _ connection: borrowing Connection, leavingOut: Set<String> = []
  ) throws -> String {
    let layout = StoreLayout(try #require(store.cachedModel), joinTableNames: store.tableNames)
    return try ContentHash(layout: layout, store: store, schema: "main", leavingOut: leavingOut)
      .value(connection)
  }

  /// The hash of all rows, and of those that aren't in a table of `leavingOut`.
  private static func content(of path: String, leavingOut: [String] = []) throws -> String {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    return try content(
      of: StoreDescription(reading: connection), connection, leavingOut: Set(leavingOut))
  }

  @Test(arguments: Self.apps)
  func `a receipt's hashes leave out the tables that stay`(app: String, version: String) throws {
    for origin in MigrationRequest.FileOrigin.allCases {
      let folder = try TemporaryDirectory()
      let path = try makeStore(version, of: app, rows: 30, in: folder)
      let old = folder.path("old")
      try FileSystem.copy(path, to: old)
      _ = try bundledMigrator().apply(to: path, Self.request(origin))
      let receipt = try Self.newest(path).1
      #expect(receipt.carried.isEmpty == (origin == .new))
      #expect(try receipt.contentBefore == Self.content(of: old, leavingOut: receipt.carried))
      #expect(try receipt.contentHash == Self.content(of: path, leavingOut: receipt.carried))
      for table in receipt.carried {
        let rows = "SELECT * FROM \(quoteIdentifier(table)) ORDER BY rowid"
        #expect(
          try Connection(path: path, mode: .readOnlyUnshared).rows(rows)
            == Connection(path: old, mode: .readOnlyUnshared).rows(rows))
      }
      // The rollback's own receipt says the same the other way round.
      _ = try bundledMigrator().rollback(path)
      let back = try Self.newest(path).1
      #expect(back.carried == receipt.carried && back.contentHash == receipt.contentBefore)
      #expect(
        try bundledMigrator().verify(path, comparesReceipt: true).receipt?.isUnchanged == true)
      _ = try bundledMigrator().rollback(path)
      #expect(try receipt.contentHash == Self.content(of: path, leavingOut: receipt.carried))
    }
  }

  @Test(arguments: Self.apps)
  func `a store counts as written to exactly if a row differs`(app: String, version: String) throws
  {
    var random = SeededGenerator(printing: "CarriedTablesTests.writes.\(app).\(version)")
    for _ in 0..<rounds(1, all: 3, torture: 30) {
      let seed = random.number(1 << 40)
      var reports: [String] = []
      let writes = Int(random.number(4))
      for origin in MigrationRequest.FileOrigin.allCases {
        let folder = try TemporaryDirectory()
        let path = try makeStore(version, of: app, rows: 20, seed: 5, in: folder)
        let migrator = try bundledMigrator()
        _ = try migrator.apply(to: path, Self.request(origin))
        let before = try Self.content(of: path)
        // The app opens the store, without which the file's own hash decides.
        try Connection(path: path, mode: .readWrite).execute("UPDATE Z_METADATA SET Z_VERSION = 1")
        var writer = RandomWrites(seed: seed)
        try writer.run(on: path, count: writes)
        let isSame = try Self.content(of: path) == before
        let report = try migrator.verify(path, comparesReceipt: true)
        #expect(report.receipt?.isUnchanged == isSame, "\(origin), seed \(seed)")
        // Which pages SQLite read is told of a copy only.
        let checks = report.checks.filter { $0.name != "integrity" || !$0.isPassed }
        reports.append("\(String(describing: report.receipt?.changes)) \(checks)")
        let dry = Result { try migrator.rollback(path, dryRun: true) }
        #expect((try? dry.get().isExact) == (isSame ? true : nil), "\(dry)")
        let back = try migrator.rollback(path, laterWrites: isSame ? nil : .keep)
        #expect(back.isExact == isSame)
      }
      #expect(reports[0] == reports[1], "seed \(seed)")
    }
  }

  @Test(arguments: MigrationRequest.FileOrigin.allCases)
  func `SQLite checks an index of a table that stays unless it has the snapshot's pages`(
    origin: MigrationRequest.FileOrigin
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 40, in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.request(origin))
    func integrity() throws -> VerifyReport.Check {
      try #require(try migrator.verify(path).checks.first { $0.name == "integrity" })
    }
    let before = try integrity()
    #expect(before.isPassed && before.details.isEmpty == (origin == .new))
    #expect(before.details.allSatisfy { $0.contains("the snapshot's pages") })
    let place = try Connection(path: path, mode: .readOnlyUnshared).rows(
      "SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'ZSDMOODENTRY'")
    var bytes = try FileSystem.read(path, limit: 1 << 30)
    let root = try #require(place.first?[0].int64)
    // The last byte of the page is part of the first key.
    bytes[Int(root) * 4_096 - 1] ^= 1
    try FileSystem.replace(path, with: bytes, mode: 0o600, suffix: ".new")
    #expect(try !integrity().isPassed)
  }

  /// Statements that break a rule of the model, or none.
  private static let faults = [
    "UPDATE ZSDMOODENTRY SET ZDATE = NULL WHERE Z_PK % 3 = 0",
    "UPDATE ZSDMOODENTRY SET Z_ENT = 77 WHERE Z_PK % 5 = 0",
    "UPDATE ZSDOUTBOXEVENT SET ZCREATEDAT = NULL WHERE Z_PK % 3 = 0",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'SDMoodEntry'",
    "UPDATE ACHANGE SET ZENTITY = 99 WHERE Z_PK % 2 = 0",
    "DELETE FROM ZSDJOURNALENTRY WHERE Z_PK % 2 = 0",
    "UPDATE ZSDMOODENTRY SET ZVALENCE = 'text' WHERE Z_PK = 2",
  ]

  private static func text(_ warning: PlanWarning) -> String {
    "\(warning.code) \(warning.rows) \(warning.message)"
  }

  @Test func `both ways refuse the same stores, with the same words`() throws {
    var random = SeededGenerator(printing: "CarriedTablesTests.faults")
    for round in 0..<rounds(3, all: 6, torture: 40) {
      let chosen = Self.faults.filter { _ in random.number(3) == 0 }
      var outcomes: [[String]] = []
      for origin in MigrationRequest.FileOrigin.allCases {
        let folder = try TemporaryDirectory()
        let path = try makeStore("V6", rows: 30, seed: UInt64(round), in: folder)
        do {
          let connection = try Connection(path: path, mode: .readWrite)
          for fault in chosen { try connection.execute(fault) }
        }
        let migrator = try bundledMigrator()
        do {
          let report = try migrator.apply(to: path, Self.request(origin))
          let verified = try migrator.verify(path)
          outcomes.append(
            report.ledger.map { "\($0)" } + report.warnings.map(Self.text)
              + verified.checks.filter { !$0.isPassed }.map { "\($0)" }
              + verified.warnings.map(Self.text))
        } catch {
          outcomes.append(["\(error)".replacing(folder.path, with: "")])
        }
      }
      let differences = Set(outcomes[0]).symmetricDifference(outcomes[1])
      #expect(outcomes[0] == outcomes[1], "\(chosen): \(differences)")
    }
  }

  @Test func `a rule that is new for rows that stay is checked`() throws {
    func model(isOptional: Bool) -> Model {
      let entities = ["Ape", "Zebra"].map { name in
        Entity(
          name: name,
          properties: ["name", "sound"].map {
            .attribute(
              Attribute(name: $0, type: .string, isOptional: isOptional || $0 == "name"))
          })
      }
      return Model(
        entities: entities, versionIdentifiers: [isOptional ? "1" : "2"],
        configurations: ["default": ["Ape", "Zebra"]])
    }
    for isBroken in [false, true] {
      var outcomes: [String] = []
      for origin in MigrationRequest.FileOrigin.allCases {
        let folder = try TemporaryDirectory()
        let path = folder.path("default.store")
        try createFixture(
          app: "Zoo", version: "V1", model: model(isOptional: true), at: path,
          options: FixtureOptions(rows: 20, seed: 3))
        let value = isBroken ? "iif(Z_PK = 3, NULL, 'x')" : "'x'"
        do {
          let connection = try Connection(path: path, mode: .readWrite)
          try connection.execute(
            "UPDATE ZAPE SET ZSOUND = 'x'; UPDATE ZZEBRA SET ZSOUND = \(value)")
        }
        let schemas = [true, false].map {
          SchemaFile(app: "Zoo", version: $0 ? "V1" : "V2", model: model(isOptional: $0))
        }
        do {
          outcomes.append(
            "\(try StoreMigrator(schemas, steps: [""]).apply(to: path, Self.request(origin)).ledger)"
          )
          #expect(!isBroken)
        } catch let error as MigrationError {
          outcomes.append("\(error)".replacing(folder.path, with: ""))
          #expect(isBroken && error.exitStatus == .verificationFailed, "\(error)")
        }
      }
      #expect(outcomes[0] == outcomes[1])
    }
  }
}
