import Foundation
import Migrations
import OutboxConversion
import Platform
import SQLite
import StoreFormat
import StoreModel
import StoreProof
import TestSupport
import Testing

@testable import MigrationAuthoring
@testable import StoreMigration

/// What a plan warns about, `apply` and `verify` warn about too.
@Suite struct WarningTests {
  private static let owner = DeliverableRowsTests.owner

  @Test(
    arguments: ["V6", "V1", "V6@plan"], [MigrationRequest.Rows.documented, .deliverable])
  func `apply repeats the plan's warnings`(
    version: String, rows: MigrationRequest.Rows
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(version, rows: 300, seed: 11, users: 2, in: folder)
    var mischief = OutboxMischief(path, seed: 11)
    try mischief.run(count: 150)
    let migrator = try bundledMigrator()
    let request = MigrationRequest(userID: Self.owner, rows: rows, acceptedLosses: ["all"])
    let plan = try migrator.plan(for: path, request)
    #expect(!plan.warnings.isEmpty)
    Self.expect(try migrator.apply(to: path, request).warnings, repeat: plan.warnings)
  }

  @Test func `apply counts rows with large payloads, too`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 30, seed: 4, in: folder)
    try run(
      """
      UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = CAST(
      '{"token":"' || replace(hex(zeroblob(800000)), '0', 'x') || '"}' AS BLOB) WHERE Z_PK % 3 = 0;
      UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = CAST(ZPAYLOAD AS TEXT) WHERE Z_PK % 3 = 1
      """, in: path)
    let migrator = try bundledMigrator()
    let plan = try migrator.plan(for: path)
    #expect(plan.warnings.contains { $0.code == "secret-in-metadata" })
    Self.expect(try migrator.apply(to: path).warnings, repeat: plan.warnings)
  }

  /// Expects the warnings of a plan, without the numbers of `--rows deliverable`.
  private static func expect(_ warnings: [PlanWarning], repeat planned: [PlanWarning]) {
    func others(_ warnings: [PlanWarning]) -> [PlanWarning] {
      warnings.filter { $0.code != "not-deliverable" }
    }
    #expect(others(warnings) == others(planned))
    #expect(warnings.map(\.code).sorted() == planned.map(\.code).sorted())
  }

  @Test func `apply reads warnings of a store with a log, and takes a saved plan's`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 200, in: folder)
    try Self.writeLog(path)
    let migrator = try bundledMigrator()
    let file = try migrator.planFile(for: path)
    #expect(file.plan.warnings.contains { $0.code == "event-type-unroutable" })
    Self.expect(try migrator.apply(to: path).warnings, repeat: file.plan.warnings)
    _ = try migrator.rollback(path)
    let again = try migrator.planFile(for: path)
    #expect(try migrator.apply(again, to: path).warnings == again.plan.warnings)
  }

  @Test func `verify warns of rows that stop the queue, by the plan's code`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 200, in: folder)
    let migrator = try bundledMigrator()
    let planned = try migrator.plan(for: path).warnings.first {
      $0.code == "event-type-unroutable"
    }
    _ = try migrator.apply(to: path)
    let report = try migrator.verify(path)
    #expect(report.isPassed)
    let warning = try #require(report.warnings.first)
    #expect(report.warnings.count == 1)
    #expect(warning.code == planned?.code)
    #expect(warning.rows == planned?.rows)
    #expect(warning.eventTypes == planned?.eventTypes)
    #expect(warning.message.contains("'apply --rows deliverable' writes rows"))
    // The checks of a forecast say the same.
    #expect(try migrator.verify(path, forecastsQueue: true).warnings == [])
    // Rows that the app never picks up stop nothing.
    try run("UPDATE ZSDOUTBOXEVENT SET ZSTATUS = 'processing'", in: path)
    #expect(try migrator.verify(path).warnings == [])
    try run("UPDATE ZSDOUTBOXEVENT SET ZSTATUS = 'completed'", in: path)
    try run(
      "UPDATE ZSDOUTBOXEVENT SET ZSTATUS = 'pending', ZEVENTTYPE = 'a secret' WHERE Z_PK = 1",
      in: path)
    let types = try migrator.verify(path).warnings.first?.eventTypes
    #expect(types == ["other": 1])
  }

  @Test func `a queue that a run of ours didn't write is warned of, too`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V11", of: "FitIQ", rows: 50, in: folder)
    let migrator = try bundledMigrator()
    #expect(try migrator.verify(path).warnings.allSatisfy { $0.code != "event-type-unroutable" })
    try run("UPDATE ZSDOUTBOXEVENT SET ZSTATUS = 'pending', ZEVENTTYPE = 'x'", in: path)
    let warning = try migrator.verify(path).warnings.first { $0.code == "event-type-unroutable" }
    #expect(warning?.rows == 50)
    #expect(warning?.message.contains("'verify --deliverable' names them") == true)
  }

  @Test func `an owner that no profile has is named, unless there is no profile`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    let migrator = try bundledMigrator()
    func isUnknown(_ id: String) throws -> Bool {
      try migrator.plan(for: path, MigrationRequest(userID: id)).warnings
        .contains { $0.code == "unknown-user" }
    }
    let profile = try #require(try rows(of: "ZSDUSERPROFILE", in: path)[0]["ZUSERID"]?.string)
    #expect(try isUnknown("bogus"))
    #expect(try !isUnknown(profile))
    #expect(try !isUnknown(profile.lowercased()))
    try run("DELETE FROM ZSDUSERPROFILE", in: path)
    #expect(try !isUnknown("bogus"))
  }

  @Test(arguments: [MigrationRequest.Rows.documented, .deliverable])
  func `verify warns of rows whose owner no profile has`(rows form: MigrationRequest.Rows) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 60, in: folder)
    let migrator = try bundledMigrator()
    func unknown() throws -> PlanWarning? {
      try migrator.verify(path, forecastsQueue: form == .deliverable).warnings
        .first { $0.code == "unknown-user" }
    }
    _ = try migrator.apply(to: path, MigrationRequest(rows: form))
    let others = try unknown()?.rows ?? 0
    try run("UPDATE ZSDOUTBOXEVENT SET ZUSERID = 'bogus'", in: path)
    let open = try rows(of: "ZSDOUTBOXEVENT", in: path).count {
      $0["ZSTATUS"]?.string != "completed"
    }
    #expect(open > 0 && others < open)
    #expect(try unknown()?.rows == Int64(open))
    let profile = try #require(try rows(of: "ZSDUSERPROFILE", in: path)[0]["ZUSERID"]?.string)
    try run("UPDATE ZSDOUTBOXEVENT SET ZUSERID = '\(profile.lowercased())'", in: path)
    #expect(try unknown() == nil)
  }

  @Test(arguments: [MigrationRequest.Rows.documented, .deliverable], [false, true])
  func `apply and verify count the same values`(
    rows: MigrationRequest.Rows, hasLog: Bool
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 100, in: folder)
    if hasLog { try Self.writeLog(path) }
    let migrator = try bundledMigrator()
    let report = try migrator.apply(to: path, MigrationRequest(rows: rows))
    let values = report.ledger.filter { !$0.isBookkeeping }.reduce(0) { $0 + $1.rows }
    let detail = try migrator.verify(path).checks.first { $0.name == "ledger" }?.details.first
    #expect(detail?.hasPrefix("\(values.grouped) values") == true, "\(detail ?? "")")
  }

  @Test func `the steps of deliverable rows count the rows that are written`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 300, in: folder)
    let plan = try bundledMigrator().plan(for: path, MigrationRequest(rows: .deliverable))
    let delivery = try #require(plan.delivery)
    #expect(delivery.delivered < delivery.rows)
    #expect(Set(plan.steps.map(\.rows)) == [delivery.delivered])
    #expect(plan.rowsWritten == delivery.delivered)
  }

  @Test func `a store without its log is asked about, unless a run of ours left it so`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 40, in: folder)
    let migrator = try bundledMigrator()
    func codes(_ path: String) throws -> [String] {
      try migrator.status(of: path).warnings.map(\.code)
    }
    #expect(try codes(path) == ["missing-log"])
    try Self.writeLog(path)
    #expect(try codes(path) == [])
    let copy = try TemporaryDirectory()
    let bare = copy.path("default.store")
    try FileManager.default.copyItem(atPath: path, toPath: bare)
    #expect(try codes(bare) == ["missing-log"])
    #expect(try migrator.plan(for: bare).warnings.first?.code == "missing-log")
    #expect(try migrator.verify(bare).warnings.map(\.code) == ["missing-log"])
    #expect(try migrator.verify(bare).isPassed)
    #expect(try migrator.lint(bare).warnings.map(\.code) == ["missing-log"])
    // An empty log is enough.
    _ = try FileDescriptor(creating: StoreFiles(path: bare).wal)
    #expect(try codes(bare) == [])
    try FileManager.default.removeItem(atPath: StoreFiles(path: bare).wal)
    #expect(try migrator.apply(to: bare).warnings.first?.code == "missing-log")
    #expect(try codes(bare) == [])
    #expect(try migrator.apply(to: bare).warnings == [])
    for _ in 0..<3 {
      _ = try migrator.rollback(bare)
      #expect(try codes(bare) == [])
    }
  }

  @Test func `a store that was moved with its snapshots is known`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 40, in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path)
    let copy = try TemporaryDirectory()
    let moved = copy.path("default.store")
    try FileManager.default.copyItem(atPath: path, toPath: moved)
    #expect(try migrator.status(of: moved).warnings.map(\.code) == ["missing-log"])
    try FileManager.default.copyItem(atPath: path + ".snapshots", toPath: moved + ".snapshots")
    #expect(try migrator.status(of: moved).warnings == [])
    // The app has written since, and its log wasn't copied.
    try run("UPDATE ZSDOUTBOXEVENT SET ZSTATUS = 'pending'", in: moved)
    #expect(try migrator.status(of: moved).warnings.map(\.code) == ["missing-log"])
  }

  @Test func `a store that never had a log is left alone`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    try run("PRAGMA journal_mode = DELETE", in: path)
    #expect(try bundledMigrator().status(of: path).warnings == [])
  }

  /// Writes to a store, and leaves what was written in its log.
  private static func writeLog(_ path: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.set(.noCheckpointOnClose, to: true)
    try connection.execute("UPDATE ZSDOUTBOXEVENT SET ZSTATUS = 'failed' WHERE Z_PK = 2")
  }

  private func run(_ sql: String, in path: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(sql)
  }
}
