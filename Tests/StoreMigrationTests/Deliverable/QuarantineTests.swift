import SQLite
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration

/// What was kept out of an outbox, and how it comes back.
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
    try QuarantineFile(path: try migrator.quarantine(of: path).file).read { found in
      guard found.key == row.key, let payload = found.value(of: "ZPAYLOAD")?.bytes,
        let intent = OutboxIntent(eventType: row.eventType ?? "")
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

  @Test func `as documented all come back, and a rollback takes them`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 150, seed: 9, in: folder)
    let old = try rows(of: "ZSDOUTBOXEVENT", in: path)
    let migrator = try bundledMigrator()
    let delivery = try #require(
      try migrator.apply(to: path, DeliverableRowsTests.request).delivery)
    let report = try migrator.restoreQuarantine(of: path, as: .documented)
    #expect(report.restored == delivery.quarantinedRows)
    let queue = try migrator.verify(path, forecastsQueue: true).queue
    #expect(queue?.isStopped == true)
    let owner = DeliverableRowsTests.owner
    let kept = Set(try migrator.quarantine(of: path).rows.map(\.key))
    for row in try rows(of: "ZSDOUTBOXEVENT", in: path) {
      guard let key = row["Z_PK"]?.int64, kept.contains(key),
        let before = old.first(where: { $0["Z_PK"] == .integer(key) })
      else { continue }
      #expect(row == documentedRow(before, owner: owner))
    }
    _ = try migrator.rollback(path, laterWrites: .keep)
    let back = try rows(of: "ZSDOUTBOXEVENT", in: path)
    #expect(back.map { $0["Z_PK"] } == old.map { $0["Z_PK"] })
    for (row, before) in zip(back, old) { #expect(row["ZPAYLOAD"] == before["ZPAYLOAD"]) }
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
