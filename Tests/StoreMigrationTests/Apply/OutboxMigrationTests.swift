import Platform
import SQLite
import StoreFormat
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

@Suite struct OutboxMigrationTests {
  static let owner = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"

  @Test(arguments: ["V6", "V6@plan"], [UInt64(1), 7, 42])
  func `every row becomes what the plan documents`(version: String, seed: UInt64) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(version, rows: 250, seed: seed, in: folder)
    let before = try rows(of: "ZSDOUTBOXEVENT", in: path)
    let request = MigrationRequest(userID: Self.owner.lowercased())
    let report = try bundledMigrator().apply(to: path, request)
    let after = try rows(of: "ZSDOUTBOXEVENT", in: path)
    #expect(report.rowsWritten == Int64(before.count))
    #expect(before.count == after.count)
    for (old, new) in zip(before, after) {
      #expect(new == documentedRow(old, owner: Self.owner), "seed \(seed)")
    }
  }

  @Test(arguments: ["V1", "V3", "V5", "V6", "V6@plan"])
  func `a row without an id is migrated without one, and its entity id stays empty`(version: String)
    throws
  {
    let folder = try TemporaryDirectory()
    let path = try makeStore(version, rows: 20, in: folder)
    do {
      let app = try Connection(path: path, mode: .readWrite)
      try app.execute("UPDATE ZSDOUTBOXEVENT SET ZID = NULL WHERE Z_PK = 3")
    }
    let hash = try sha256(ofFile: path)
    let migrator = try bundledMigrator()
    let request = MigrationRequest(userID: Self.owner, acceptedLosses: ["all"])
    let planned = try migrator.plan(for: path, request)
    #expect(try migrator.apply(to: path, request).rowsWritten == planned.rowsWritten)
    let row = try #require(rows(of: "ZSDOUTBOXEVENT", in: path).first { $0["Z_PK"] == 3 })
    #expect(row["ZID"] == .null && row["ZENTITYID"] == .null)
    _ = try migrator.rollback(path)
    #expect(try sha256(ofFile: path) == hash)
  }

  @Test func `a custom index on a table that is rewritten is reported`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 5, in: folder)
    #expect(
      try bundledMigrator().plan(for: path).warnings.contains { $0.code == "index-goes" } == false)
    do {
      let app = try Connection(path: path, mode: .readWrite)
      try app.execute(
        "CREATE INDEX mine ON ZSDOUTBOXEVENT (ZSTATUS); CREATE INDEX kept ON ZSDGOAL (ZTITLE)")
    }
    let warnings = try bundledMigrator().plan(for: path).warnings.filter { $0.code == "index-goes" }
    #expect(warnings.map(\.message.first) == ["'"] && warnings[0].message.hasPrefix("'mine' "))
  }

  @Test func `tables that no step touches are carried to the bit`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let changing: Set = ["ZSDOUTBOXEVENT", "Z_METADATA", "Z_MODELCACHE", "ACHANGE"]
    let before = try dump(path, leavingOut: changing)
    _ = try bundledMigrator().apply(to: path, MigrationRequest(userID: Self.owner))
    #expect(try dump(path, leavingOut: changing) == before)
  }

  @Test func `the new store is at the target by its own cache, hashes and tables`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, MigrationRequest(userID: Self.owner))
    let status = try migrator.status(of: path)
    #expect(status.recognition.match == .exact)
    #expect(status.recognition.version?.name == "V7")
    let report = try migrator.verify(path)
    #expect(report.isPassed, "\(report.checks.filter { !$0.isPassed })")
  }

  @Test func `history is carried, without the update masks of the outbox`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let number = try #require(
      try rows(of: "Z_PRIMARYKEY", in: path).first { $0["Z_NAME"] == "SDOutboxEvent" }?["Z_ENT"])
    var expected = try rows(of: "ACHANGE", in: path)
    #expect(expected.contains { $0["ZENTITY"] == number && $0["ZCOLUMNS"] != .null })
    for place in expected.indices where expected[place]["ZENTITY"] == number {
      expected[place]["ZCOLUMNS"] = .null
    }
    _ = try bundledMigrator().apply(to: path, MigrationRequest(userID: Self.owner))
    #expect(try rows(of: "ACHANGE", in: path) == expected)
  }

  @Test func `metadata keeps its identity and unknown keys`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let uuid = try rows(of: "Z_METADATA", in: path)[0]["Z_UUID"]
    _ = try bundledMigrator().apply(to: path, MigrationRequest(userID: Self.owner))
    #expect(try rows(of: "Z_METADATA", in: path)[0]["Z_UUID"] == uuid)
  }

  @Test func `applying twice does nothing the second time`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, MigrationRequest(userID: Self.owner))
    let before = try fingerprint(of: folder)
    let report = try migrator.apply(to: path)
    #expect(report.snapshot == nil)
    #expect(try fingerprint(of: folder) == before)
  }

  @Test func `a profile with a blank user names no owner`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 5, in: folder)
    do {
      let app = try Connection(path: path, mode: .readWrite)
      try app.execute("UPDATE ZSDUSERPROFILE SET ZUSERID = ' ' || char(9)")
    }
    let warnings = try bundledMigrator().plan(for: path).warnings
    #expect(
      warnings.contains {
        $0.code == "user-id-needed" && $0.message.contains("has no user profile")
      })
  }

  @Test func `without an option, the owner is the store's only profile`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", users: 1, in: folder)
    let profile = try #require(try rows(of: "ZSDUSERPROFILE", in: path)[0]["ZUSERID"]?.string)
    _ = try bundledMigrator().apply(to: path)
    let owners = Set(try rows(of: "ZSDOUTBOXEVENT", in: path).map { $0["ZUSERID"] })
    #expect(owners == [.text(profile.uppercased())])
  }

  @Test func `with several profiles apply asks and plan still works`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", users: 3, in: folder)
    let before = try fingerprint(of: folder)
    let migrator = try bundledMigrator()
    let plan = try migrator.plan(for: path)
    #expect(plan.warnings.contains { $0.code == "user-id-needed" && $0.rows == 60 })
    let error = #expect(throws: MigrationError.self) { try migrator.apply(to: path) }
    #expect(error?.exitStatus == .misuse)
    #expect(
      error?.description
        == "rows need an owner, and the store has 3 user profiles; give the owner's id with "
        + "'--user-id'; 'status --show-values' lists their ids"
    )
    #expect(try fingerprint(of: folder) == before)
  }

  @Test func `a number in a payload is refused by entity and key`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let key: Int64
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      key = try #require(
        try connection.value("SELECT max(Z_PK) FROM ZSDOUTBOXEVENT")?.int64)
      try connection.execute("UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = 12.5 WHERE Z_PK = \(key)")
    }
    let error = #expect(throws: MigrationError.self) {
      try bundledMigrator().apply(to: path, MigrationRequest(userID: Self.owner))
    }
    #expect(error?.exitStatus == .unknownStore)
    #expect(
      error?.description
        == "SDOutboxEvent/\(key): 'payload' holds a number where bytes are expected; "
        + "correct the row in the app, then try again")
    #expect(try folder.names.allSatisfy { !$0.hasSuffix(".snapshots") })
  }

  @Test func `a payload that is stored as text counts as its bytes`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = '{ \"a\" : 1 }'")
    }
    _ = try bundledMigrator().apply(to: path, MigrationRequest(userID: Self.owner))
    let texts = Set(try rows(of: "ZSDOUTBOXEVENT", in: path).map { $0["ZMETADATA"] })
    #expect(texts == [.text("{\"a\":1}")])
  }
}
