import SQLite
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

@Suite struct AdditiveEditionTests {
  static let owner = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"

  @Test func `placeholders are filled and the app's own values stay`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7@additive", rows: 200, in: folder)
    let before = try rows(of: "ZSDOUTBOXEVENT", in: path)
    var entityCounts: [Value: Int] = [:]
    for row in before { entityCounts[row["ZENTITYID"] ?? .null, default: 0] += 1 }
    let model = try #require(Catalog.bundled.version("V7@additive", of: "Lume")).model
    let usual = model["SDOutboxEvent"]?.attributes.first { $0.name == "entityID" }?.defaultValue
    let request = MigrationRequest(userID: Self.owner, acceptedLosses: ["all"])
    _ = try bundledMigrator().apply(to: path, request)
    let after = try rows(of: "ZSDOUTBOXEVENT", in: path)
    #expect(before.count == after.count)
    for (old, new) in zip(before, after) {
      let entity = old["ZENTITYID"] ?? .null
      var isPlaceholder = (entityCounts[entity] ?? 0) > 1
      if case .uuid(let bytes) = usual, entity == .blob(bytes) { isPlaceholder = true }
      #expect(new["ZENTITYID"] == (isPlaceholder ? old["ZID"] : entity))
      #expect(new["ZUSERID"] == (old["ZUSERID"] == .text("") ? .text(Self.owner) : old["ZUSERID"]))
      #expect(
        new["ZATTEMPTCOUNT"]
          == (old["ZATTEMPTCOUNT"] == 0 ? old["ZRETRYCOUNT"] : old["ZATTEMPTCOUNT"]))
      let metadata =
        old["ZMETADATA"] == .null ? documentedMetadata(old["ZPAYLOAD"] ?? .null) : old["ZMETADATA"]
      #expect(new["ZMETADATA"] == metadata)
      #expect(new["ZPRIORITY"] == old["ZPRIORITY"])
    }
  }

  @Test func `a payload beside metadata of its own is a loss to be accepted`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7@additive", rows: 40, in: folder)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        """
        UPDATE ZSDOUTBOXEVENT SET ZMETADATA = '{"type":"generic"}', ZPAYLOAD = x'7B7D' WHERE Z_PK =
        (SELECT min(Z_PK) FROM ZSDOUTBOXEVENT)
        """)
    }
    let migrator = try bundledMigrator()
    let plan = try migrator.plan(for: path, MigrationRequest(userID: Self.owner))
    let loss = try #require(plan.losses.first { $0.object == "SDOutboxEvent.payload" })
    #expect(loss.step == "V7@additive-V7:SDOutboxEvent.payload")
    #expect(loss.rows >= 1)
    let error = #expect(throws: MigrationError.self) {
      try migrator.apply(to: path, MigrationRequest(userID: Self.owner))
    }
    #expect(error?.exitStatus == .refused)
    let accepted = plan.losses.map(\.step)
    let report = try migrator.apply(
      to: path, MigrationRequest(userID: Self.owner, acceptedLosses: accepted))
    #expect(report.losses.contains(loss))
  }

  @Test func `a misspelt step is answered with the nearest one`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7@additive", rows: 10, in: folder)
    let request = MigrationRequest(
      userID: Self.owner, acceptedLosses: ["V7@additive-V7:SDOutboxEvent.payloed"])
    let error = #expect(throws: MigrationError.self) {
      try bundledMigrator().apply(to: path, request)
    }
    #expect(error?.exitStatus == .misuse)
    #expect(
      error?.description
        == "no step 'V7@additive-V7:SDOutboxEvent.payloed' loses data; "
        + "did you mean 'V7@additive-V7:SDOutboxEvent.payload'?")
  }
}
