import OutboxFormat
import Platform
import SQLite
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// The rows in quarantine, and how they are restored.
@Suite struct QuarantineTests {
  @Test func `a quarantine lists what apply counted`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 200, seed: 5, in: folder)
    let migrator = try bundledMigrator()
    let delivery = try #require(
      try migrator.apply(to: path, DeliverableRowsTests.request).delivery)
    let before = try fingerprint(of: folder)
    let report = try migrator.quarantine(of: path)
    #expect(try fingerprint(of: folder) == before)
    #expect(report.counts == delivery.quarantined)
    #expect(Int64(report.rows.count) == delivery.quarantinedRows)
    #expect(report.back == 0)
    #expect(report.rows.contains { $0.reason == .unknownType && $0.eventType == nil })
  }

  @Test func `a row comes back when its entity is there again`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 300, seed: 5, in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, DeliverableRowsTests.request)
    let nothing = try migrator.restoreQuarantine(of: path)
    #expect(nothing.restored == 0)
    let kept = try migrator.quarantine(of: path).rows
    let row = try #require(
      kept.first { $0.reason == .onlyCopy && $0.eventType?.hasPrefix("mood.") == true })
    var id: [UInt8]?
    let file = try migrator.quarantine(of: path).file
    try QuarantineFile(
      NestedFile(in: FileSystem.parent(of: file), name: FileSystem.name(of: file))
    ).read { found in
      guard found.key == row.key, let payload = found.value(of: "ZPAYLOAD")?.bytes,
        let intent = EventKind.kind(named: row.eventType ?? "")?.intent
      else { return }
      id = OutboxPayload(payload.span, for: intent)?.entity
    }
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        "UPDATE ZSDMOODENTRY SET ZID = ?1 WHERE Z_PK = (SELECT max(Z_PK) FROM ZSDMOODENTRY)",
        [.blob(try #require(id))])
    }
    let report = try migrator.restoreQuarantine(of: path)
    #expect(report.restored > 0)
    #expect(try migrator.quarantine(of: path).rows.first { $0.key == row.key }?.isBack == true)
    let outbox = try rows(of: "ZSDOUTBOXEVENT", in: path)
    let back = try #require(outbox.first { $0["Z_PK"] == .integer(row.key) })
    #expect(back["ZENTITYID"] == id.map { .blob($0) })
    #expect(back["ZEVENTTYPE"] == "moodEntry")
    // An entity has one row at most that counts as new.
    let new = outbox.filter {
      $0["ZENTITYID"] == back["ZENTITYID"] && $0["ZISNEWRECORD"] == 1
        && $0["ZSTATUS"] != "completed"
    }
    #expect(new.count <= 1)
    let again = try migrator.restoreQuarantine(of: path)
    #expect(again.restored == 0)
    #expect(again.present == report.restored)
  }

  @Test func `as documented all come back but secrets, and a rollback takes them`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 150, seed: 9, in: folder)
    let old = try rows(of: "ZSDOUTBOXEVENT", in: path)
    let migrator = try bundledMigrator()
    let applied = try migrator.apply(to: path, DeliverableRowsTests.request)
    let delivery = try #require(applied.delivery)
    let written = try rows(of: "ZSDOUTBOXEVENT", in: path)
    let report = try migrator.restoreQuarantine(of: path, as: .documented)
    #expect(report.withheld > 0)
    #expect(report.restored == delivery.quarantinedRows - report.withheld)
    let queue = try migrator.verify(path, forecastsQueue: true)
    #expect(queue.queue?.isStopped == true)
    #expect(queue.queue?.findings[.metadata]?.contains { $0.contains("password") } != true)
    let owner = DeliverableRowsTests.owner
    let kept = try migrator.quarantine(of: path).rows
    for row in try rows(of: "ZSDOUTBOXEVENT", in: path) {
      guard kept.contains(where: { $0.key == row.key }),
        let before = old.first(where: { $0.key == row.key })
      else { continue }
      #expect(row == documentedRow(before, owner: owner))
    }
    // A row with a password is restored only if it is named.
    let account = try #require(kept.first { $0.reason == .account && !$0.isBack })
    let named = try migrator.restoreQuarantine(
      of: path, as: .documented, rows: ["SDOutboxEvent/\(account.key)"])
    #expect(named.restored == 1 && named.withheld == 0)
    // Each restoration is rolled back separately.
    #expect(try migrator.rollback(path).isExact)
    #expect(try migrator.rollback(path, to: report.snapshot).isExact)
    #expect(try rows(of: "ZSDOUTBOXEVENT", in: path) == written)
    #expect(try migrator.quarantine(of: path).back == 0)
    _ = try migrator.rollback(path, to: applied.snapshot)
    #expect(try rows(of: "ZSDOUTBOXEVENT", in: path) == old)
  }

  @Test func `as many rows are withheld as were counted to hold secrets`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 600, seed: 9, in: folder)
    do {
      // An account's payload without keys may hold anything.
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        """
        UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = x'00ff' WHERE Z_PK =
        (SELECT max(Z_PK) FROM ZSDOUTBOXEVENT WHERE ZEVENTTYPE = 'auth.login')
        """)
    }
    let migrator = try bundledMigrator()
    let documented = try migrator.plan(for: path, HostilePlacesTests.request).delivery?.secrets
    let planned = try migrator.plan(for: path, DeliverableRowsTests.request).delivery?.secrets
    let delivery = try #require(
      try migrator.apply(to: path, DeliverableRowsTests.request).delivery)
    let withheld = try migrator.restoreQuarantine(of: path, as: .documented).withheld
    #expect(withheld > 1 && withheld < delivery.quarantined[.account] ?? 0)
    #expect([documented, planned, delivery.secrets] == [withheld, withheld, withheld])
  }

  @Test func `an apply that was rolled back twice keeps its quarantine and its ledger`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 150, seed: 9, in: folder)
    let migrator = try bundledMigrator()
    let first = try migrator.apply(to: path, DeliverableRowsTests.request)
    let (listed, verified) = (try migrator.quarantine(of: path), try migrator.verify(path))
    let old = try rows(of: "ZSDOUTBOXEVENT", in: path)
    for _ in 0..<2 {
      _ = try migrator.rollback(path)
      // The rows are in the store again: the snapshot can be removed.
      #expect(try migrator.pruneSnapshots(of: path, keeping: 1, dryRun: true).quarantined == [])
      let back = try migrator.rollback(path)
      #expect(try rows(of: "ZSDOUTBOXEVENT", in: path) == old)
      let (again, checks) = (try migrator.quarantine(of: path), try migrator.verify(path))
      #expect(again.rows == listed.rows && again.counts == listed.counts)
      #expect(checks.isPassed && checks.checks.map(\.name) == verified.checks.map(\.name))
      let receipt = try #require(try migrator.verify(path, comparesReceipt: true).receipt)
      #expect(receipt.isUnchanged && receipt.from == "V6" && receipt.to == "V7")
      #expect(back.to == first.to)
    }
    #expect(try migrator.restoreQuarantine(of: path, as: .documented).restored > 0)
  }

  @Test func `what was written in between isn't taken for what apply wrote`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 150, seed: 9, in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, DeliverableRowsTests.request)
    func write() throws {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.25")
    }
    try write()
    _ = try migrator.rollback(path, laterWrites: .discard)
    _ = try migrator.rollback(path)
    #expect(throws: MigrationError.self) { try migrator.quarantine(of: path) }
    #expect(try migrator.verify(path).isPassed)
    // Nor is a store that was written to before it was brought back.
    let folder2 = try TemporaryDirectory()
    let other = try makeStore("V6", rows: 150, seed: 9, in: folder2)
    _ = try migrator.apply(to: other, DeliverableRowsTests.request)
    _ = try migrator.rollback(other)
    do {
      let connection = try Connection(path: other, mode: .readWrite)
      try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.25")
    }
    _ = try migrator.rollback(other, laterWrites: .discard)
    #expect(throws: MigrationError.self) { try migrator.quarantine(of: other) }
    #expect(try migrator.verify(other).isPassed)
  }

  @Test func `a rollback to the snapshot parks restored and edited rows`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 150, seed: 9, in: folder)
    let old = try rows(of: "ZSDOUTBOXEVENT", in: path)
    let migrator = try bundledMigrator()
    let snapshot = try #require(
      try migrator.apply(to: path, DeliverableRowsTests.request).snapshot)
    let restored = try migrator.restoreQuarantine(of: path, as: .documented).restored
    let kept = try migrator.quarantine(of: path).rows.filter(\.isBack).map(\.key)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        "UPDATE ZSDOUTBOXEVENT SET ZSTATUS = 'completed' WHERE Z_PK = ?1", [.integer(kept[0])])
    }
    let present = try rows(of: "ZSDOUTBOXEVENT", in: path)
    let report = try migrator.rollback(path, to: snapshot, laterWrites: .keep)
    #expect(try rows(of: "ZSDOUTBOXEVENT", in: path) == old)
    #expect(report.parked["SDOutboxEvent"] == restored)
    // The next apply restores the parked values.
    _ = try migrator.apply(to: path, DeliverableRowsTests.request)
    #expect(try rows(of: "ZSDOUTBOXEVENT", in: path) == present)
  }

  @Test func `a row that isn't in the quarantine, and one of another entity, are refused`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 150, seed: 9, in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, DeliverableRowsTests.request)
    let before = try rows(of: "ZSDOUTBOXEVENT", in: path)
    for name in ["SDOutboxEvent/99999", DeliverableRowsTests.owner, "SDGoal/1", "twelve"] {
      let error = #expect(throws: MigrationError.self) {
        try migrator.restoreQuarantine(of: path, as: .documented, rows: [name])
      }
      #expect(error?.exitStatus == .misuse, "\(name)")
    }
    #expect(try rows(of: "ZSDOUTBOXEVENT", in: path) == before)
  }

  @Test func `rows are identified by their ids, not only by their keys`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 150, seed: 9, in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, DeliverableRowsTests.request)
    let key = try #require(
      try migrator.quarantine(of: path).rows.first { $0.reason == .onlyCopy }?.key)
    var other = try #require(try rows(of: "ZSDOUTBOXEVENT", in: path).first)
    other["Z_PK"] = .integer(key)
    other["ZID"] = .blob([UInt8](repeating: 7, count: 16))
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      let names = other.keys.sorted()
      let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
      try connection.execute(
        "INSERT INTO ZSDOUTBOXEVENT (\(names.joined(separator: ", "))) VALUES (\(places))",
        names.map { other[$0] ?? .null })
    }
    let row = try migrator.quarantine(of: path).rows.first { $0.key == key }
    #expect(row?.isBack == false)
    let report = try migrator.restoreQuarantine(of: path, as: .documented)
    #expect(report.taken == 1)
    #expect(try rows(of: "ZSDOUTBOXEVENT", in: path).contains(other))
  }

  @Test func `a damaged or missing quarantine is reported, with the damaged line`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 150, seed: 9, in: folder)
    let migrator = try bundledMigrator()
    let snapshot = try #require(
      try migrator.apply(to: path, DeliverableRowsTests.request).snapshot)
    let file = snapshot + "/quarantine.jsonl"
    var lines = String(decoding: try FileSystem.read(file, limit: 1 << 24), as: UTF8.self)
      .split(separator: "\n")
    lines[3] = "{\"key\":1,\"my secret\":2}"
    try FileSystem.replace(file, with: Array((lines.joined(separator: "\n") + "\n").utf8))
    let damaged = #expect(throws: MigrationError.self) { try migrator.quarantine(of: path) }
    #expect(damaged?.description.contains("quarantine.jsonl:4:") == true)
    #expect(damaged?.description.contains("secret") == false)
    try FileSystem.remove(file)
    for report in [
      #expect(throws: MigrationError.self) { try migrator.quarantine(of: path) },
      #expect(throws: MigrationError.self) { try migrator.restoreQuarantine(of: path) },
    ] {
      #expect(report?.description.contains("is missing") == true)
    }
  }

  @Test func `rows that name no owner are asked for one`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 150, seed: 9, users: 3, in: folder)
    do {
      // Only rows that go to the quarantine name no owner.
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        """
        DELETE FROM ZSDOUTBOXEVENT WHERE ZEVENTTYPE <> 'chat.message.send';
        UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX
        """)
    }
    let migrator = try bundledMigrator()
    let request = MigrationRequest(rows: .deliverable)
    _ = try migrator.apply(to: path, request)
    let error = #expect(throws: MigrationError.self) {
      try migrator.restoreQuarantine(of: path, as: .documented)
    }
    #expect(error?.cause == .request(.userIDNeeded(candidates: 3)))
    let owner = DeliverableRowsTests.owner
    let report = try migrator.restoreQuarantine(
      of: path, as: .documented, userID: owner.lowercased())
    #expect(report.restored > 0)
    for row in try rows(of: "ZSDOUTBOXEVENT", in: path) {
      #expect(row["ZUSERID"] == .text(owner))
    }
  }

  @Test func `a store without a quarantine says so`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let migrator = try bundledMigrator()
    let error = #expect(throws: MigrationError.self) { try migrator.quarantine(of: path) }
    #expect(error?.exitStatus == .failed)
    _ = try migrator.apply(to: path, MigrationRequest(userID: DeliverableRowsTests.owner))
    #expect(throws: MigrationError.self) { try migrator.restoreQuarantine(of: path) }
  }
}
