import RowInspection
import OutboxFormat
import Foundation
import JSONText
import Platform
import SQLite
import StoreFormat
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import StoreAccess
import RowRewriting
@testable import OutboxConversion
import StoreProof

/// Outboxes in the form that the app sends, against the table of event types.
@Suite struct DeliverableRowsTests {
  static let owner = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"

  static var request: MigrationRequest {
    MigrationRequest(userID: owner.lowercased(), rows: .deliverable, acceptedLosses: ["all"])
  }

  /// The seeds of stores: three, or a random one.
  private static let seeds: [UInt64] =
    isTorture ? [7, 42, 4711] : [printedSeed("deliverable rows", below: 1_000_000)]

  @Test(arguments: ["V6", "V1", "V3", "V6@plan", "V7@additive"], seeds)
  func `every row becomes what the table says`(version: String, seed: UInt64) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(version, rows: 300, seed: seed, users: 2, in: folder)
    var mischief = OutboxMischief(path, seed: seed)
    try mischief.run(count: 150)
    let expected = try DeliverableReference(path, owner: Self.owner).fates()
    let migrator = try bundledMigrator()
    let plan = try migrator.plan(for: path, Self.request)
    let documented = try migrator.plan(for: path, MigrationRequest(userID: Self.owner))
    let report = try migrator.apply(to: path, Self.request)
    let found = try fates(of: path)
    let label = "\(version), seed \(seed)"
    #expect(found.count == expected.count, "\(label)")
    let problems = expected.compactMap { key, fate in
      fate.difference(to: found[key]).map { "row \(key): \($0)" }
    }
    #expect(problems.isEmpty, "\(label): \(problems.prefix(5))")
    #expect(report.delivery == plan.delivery)
    #expect(report.delivery == documented.delivery, "\(label)")
    #expect(report.delivery?.rows == Int64(expected.count))
    #expect(report.delivery?.addsUp == true)
    #expect(report.rowsWritten == plan.rowsWritten)
    // The app's own checks admit the rows that apply writes.
    let verified = try migrator.verify(path, forecastsQueue: true)
    #expect(verified.isPassed, "\(label): \(verified.checks.filter { !$0.isPassed })")
    #expect(verified.queue?.isStopped == false)
  }

  @Test func `documented rows stop the app's queue, and the plan counts deliverable ones`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 200, in: folder)
    let migrator = try bundledMigrator()
    let documented = try migrator.plan(for: path, MigrationRequest(userID: Self.owner))
    let deliverable = try migrator.plan(for: path, Self.request)
    #expect(documented.delivery == deliverable.delivery)
    #expect(documented.rowsWritten == 200)
    #expect(documented.warnings.contains { $0.code == "not-deliverable" && $0.rows == 200 })
    _ = try migrator.apply(to: path, MigrationRequest(userID: Self.owner))
    #expect(try migrator.verify(path).isPassed)
    let report = try migrator.verify(path, forecastsQueue: true)
    #expect(!report.isPassed)
    #expect(report.queue?.isStopped == true)
  }

  @Test(arguments: [UInt64(3), 8])
  func `rolling back gives the old store, byte for byte`(seed: UInt64) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 120, seed: seed, in: folder)
    let hash = try sha256(ofFile: path)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.request)
    let report = try migrator.rollback(path)
    #expect(report.isExact)
    #expect(try sha256(ofFile: path) == hash, "seed \(seed)")
  }

  @Test(arguments: ["V6", "V1", "V6@plan"], [UInt64(2), 4711])
  func `no later write is lost`(version: String, seed: UInt64) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(version, rows: 120, seed: seed, users: 2, in: folder)
    let migrator = try bundledMigrator()
    let old = try rows(of: "ZSDOUTBOXEVENT", in: path)
    // Some fixtures have rows without a payload.
    let flaws = try failures(of: path, migrator)
    _ = try migrator.apply(to: path, Self.request)
    let written = try rows(of: "ZSDOUTBOXEVENT", in: path)
    var edits = RandomWrites(seed: seed)
    try edits.run(on: path, count: 40)
    let present = try EntityRows(of: path)
    _ = try migrator.rollback(path, laterWrites: .keep)
    let label = "\(version), seed \(seed)"
    #expect(try failures(of: path, migrator) == flaws, "\(label)")
    // The rows that the migration didn't write are there again, unchanged.
    let back = try rows(of: "ZSDOUTBOXEVENT", in: path)
    for row in old where !written.contains(where: { $0["Z_PK"] == row["Z_PK"] }) {
      #expect(back.contains(row), "\(label), row \(row["Z_PK"] ?? .null)")
    }
    _ = try migrator.apply(to: path, Self.request)
    let again = try EntityRows(of: path)
    let lost = present.differences(from: again)
    #expect(lost.isEmpty, "\(label): \(lost.prefix(5))")
    #expect(try failures(of: path, migrator).isEmpty, "\(label)")
  }

  @Test func `quarantined rows are complete in a file that only its owner can read`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 300, seed: 5, in: folder)
    let old = try rows(of: "ZSDOUTBOXEVENT", in: path)
    let report = try bundledMigrator().apply(to: path, Self.request)
    let file = NestedFile(in: try #require(report.snapshot), name: "quarantine.jsonl")
    #expect(try FileStatus(of: file.path).mode & 0o777 == 0o600)
    var kept: [QuarantinedRow] = []
    try QuarantineFile(file).read { kept.append($0) }
    #expect(Int64(kept.count) == report.delivery?.quarantinedRows)
    for row in kept {
      let before = try #require(old.first { $0["Z_PK"] == .integer(row.key) })
      #expect(row.values.count == before.count - 1)
      for value in row.values { #expect(before[value.column] == value.value) }
    }
    #expect(kept.contains { $0.reason == .account })
    #expect(report.delivery?.secrets ?? 0 > 0)
    #expect(
      try rows(of: "ZSDOUTBOXEVENT", in: path).allSatisfy {
        $0["ZMETADATA"]?.string?.contains("password") != true
      })
  }

  @Test func `a quarantine that lost a row is noticed`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 120, in: folder)
    let migrator = try bundledMigrator()
    let file = try #require(try migrator.apply(to: path, Self.request).snapshot)
    let name = file + "/quarantine.jsonl"
    var lines = String(decoding: try FileSystem.read(name, limit: 1 << 24), as: UTF8.self)
      .split(separator: "\n")
    lines.remove(at: lines.count / 2)
    try FileSystem.replace(name, with: Array((lines.joined(separator: "\n") + "\n").utf8))
    let report = try migrator.verify(path)
    #expect(!report.isPassed)
    #expect(report.checks.first { $0.name == "ledger" }?.isPassed == false)
  }

  @Test func `rows that need an owner are asked for one`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 200, users: 3, in: folder)
    let migrator = try bundledMigrator()
    let request = MigrationRequest(rows: .deliverable)
    let plan = try migrator.plan(for: path, request)
    // Only rows whose payload and entity name no owner.
    let asked = plan.warnings.first { $0.code == "user-id-needed" }?.rows ?? 0
    #expect(asked > 0 && asked < plan.rowsWritten)
    let error = #expect(throws: MigrationError.self) { try migrator.apply(to: path, request) }
    #expect(error?.exitStatus == .misuse)
  }

  @Test func `a plan is stale if an entity changed that a row depends on`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 100, in: folder)
    let migrator = try bundledMigrator()
    let plan = try migrator.planFile(for: path, Self.request)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        "UPDATE ZSDMOODENTRY SET ZBACKENDID = 'b' WHERE Z_PK = (SELECT min(Z_PK) FROM ZSDMOODENTRY)"
      )
    }
    let error = #expect(throws: MigrationError.self) { try migrator.apply(plan, to: path) }
    #expect(error?.exitStatus == .stalePlan)
    let text = try PlanFile(parsing: Array(plan.text.utf8), file: nil)
    #expect(text.plan == plan.plan)
  }

  @Test(arguments: ["V6", "V7@additive"])
  func `an explanation says what happens to each row`(version: String) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(version, rows: 60, seed: 7, in: folder)
    var mischief = OutboxMischief(path, seed: 7)
    try mischief.run(count: 30)
    let migrator = try bundledMigrator()
    for (key, fate) in try DeliverableReference(path, owner: Self.owner).fates() {
      let outcome = try migrator.explain("SDOutboxEvent/\(key)", of: path, Self.request).outcome
      let beginnings =
        switch fate {
        case .row: ["written in the form", "copied: the app wrote it"]
        case .quarantined: ["not written, in quarantine"]
        case .cancelled: ["cancelled with"]
        case .folded(let other): ["folded into SDOutboxEvent/\(other)"]
        }
      #expect(beginnings.contains { outcome?.hasPrefix($0) == true }, "row \(key)")
    }
    #expect(try migrator.explain("SDOutboxEvent/2", of: path).outcome == nil)
  }

  @Test(arguments: ["V10", "V11"])
  func `an app without such an outbox is refused`(version: String) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(version, of: "FitIQ", in: folder)
    let migrator = try bundledMigrator()
    let request = MigrationRequest(rows: .deliverable)
    let planned = #expect(throws: MigrationError.self) { try migrator.plan(for: path, request) }
    let applied = #expect(throws: MigrationError.self) { try migrator.apply(to: path, request) }
    for error in [planned, applied] {
      #expect(error?.exitStatus == .misuse)
      #expect(error?.description.contains("verify --deliverable") == true)
    }
  }
}

/// Returns the details of the checks that a store fails.
private func failures(of path: String, _ migrator: StoreMigrator) throws -> [String] {
  try migrator.verify(path).checks.filter { !$0.isPassed }.flatMap(\.details)
}

/// Returns the fates of an outbox's rows, from the outbox and from the snapshot's files.
private func fates(of path: String) throws -> [Int64: DeliverableReference.Fate] {
  var fates: [Int64: DeliverableReference.Fate] = [:]
  for row in try rows(of: "ZSDOUTBOXEVENT", in: path) {
    fates[row.key] = .row(row)
  }
  let snapshot = try FileSystem.list(path + ".snapshots")[0]
  var lines = try SetAsideReader.open(
    NestedFile(in: "\(path).snapshots", folders: [snapshot], name: "set-aside.jsonl"))
  while let line = try lines.next(
    "line", { text throws(JSONError) in try SetAsideFile.Line(parsing: text) })
  {
    fates[line.key] =
      switch line.fate {
      case .quarantined(let reason): .quarantined(reason.rawValue)
      case .cancelled: .cancelled
      case .folded(let key): .folded(into: key)
      }
  }
  return fates
}
