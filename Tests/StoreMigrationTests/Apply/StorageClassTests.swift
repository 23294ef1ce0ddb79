import SQLite
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Values of another storage class than their column's, in outboxes that the app is to deliver.
@Suite struct StorageClassTests {
  @Test(arguments: [
    ("ZPAYLOAD", "5", "payload"), ("ZPAYLOAD", "2.5", "payload"),
    ("ZCREATEDAT", "'soon'", "createdAt"), ("ZEVENTTYPE", "x'00'", "eventType"),
    ("ZSTATUS", "x'00'", "status"),
  ])
  func `what is read as something else is refused by name`(
    column: String, value: String, attribute: String
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 40, in: folder)
    let key = try #require(try rows(of: "ZSDOUTBOXEVENT", in: path).last?.key)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        "UPDATE ZSDOUTBOXEVENT SET \(column) = \(value) WHERE Z_PK = \(key)")
    }
    let migrator = try bundledMigrator()
    let before = try fingerprint(of: folder)
    for attempt in [
      { _ = try migrator.plan(for: path, DeliverableRowsTests.request) },
      { _ = try migrator.apply(to: path, DeliverableRowsTests.request) },
    ] as [() throws -> Void] {
      let error = #expect(throws: MigrationError.self) { try attempt() }
      guard case .row(let refusal)? = error?.cause, refusal.entity == "SDOutboxEvent",
        refusal.key == key, refusal.attribute == attribute
      else {
        Issue.record("\(error.map { "\($0)" } ?? "nothing") for \(column)")
        continue
      }
      #expect(error?.exitStatus == .unknownStore)
    }
    #expect(try fingerprint(of: folder).count == before.count)
    // As documented, what isn't converted is carried to the bit, and the plan says what it can't tell.
    guard column != "ZPAYLOAD" else { return }
    let request = MigrationRequest(userID: DeliverableRowsTests.owner)
    let plan = try migrator.plan(for: path, request)
    #expect(plan.delivery == nil)
    #expect(plan.warnings.contains { $0.message.contains("isn't possible") })
    _ = try migrator.apply(to: path, request)
  }

  @Test func `what isn't read is carried to the bit`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 40, in: folder)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("UPDATE ZSDOUTBOXEVENT SET ZRETRYCOUNT = 'some'")
    }
    _ = try bundledMigrator().apply(to: path, DeliverableRowsTests.request)
    for row in try rows(of: "ZSDOUTBOXEVENT", in: path) {
      #expect(row["ZATTEMPTCOUNT"] == "some")
    }
  }
}
