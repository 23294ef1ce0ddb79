import SQLite
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import StoreProof

/// What makes a plan stale, and what doesn't.
@Suite struct StalePlanTests {
  /// Saves the plan of a store, changes the store, and returns why the plan is refused.
  private func moves(
    _ version: String = "V6", of app: String = "Lume", request: MigrationRequest = .init(),
    after change: String
  ) throws -> [PlanMove] {
    let folder = try TemporaryDirectory()
    let path = try makeStore(version, of: app, rows: 60, seed: 4, users: 1, in: folder)
    let migrator = try bundledMigrator()
    let plan = try migrator.planFile(for: path, request)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.set(.defensive, to: false)
      try connection.execute(change)
    }
    let before = try fingerprint(of: folder)
    do {
      _ = try migrator.apply(plan, to: path)
      return []
    } catch {
      guard case .request(.stalePlan(let moves)) = error.cause else { throw error }
      let after = try fingerprint(of: folder)
      #expect(after == before)
      return moves
    }
  }

  private func events(added: Int64 = 0, changed: Int64 = 0, removed: Int64 = 0) -> [PlanMove] {
    [
      .rows(
        EntityChange(entity: "SDOutboxEvent", added: added, changed: changed, removed: removed))
    ]
  }

  @Test func `rows that were added, changed and removed are counted by entity`() throws {
    let insert = """
      INSERT INTO ZSDOUTBOXEVENT (Z_PK, Z_ENT, Z_OPT, ZEVENTTYPE) SELECT 1000 + Z_PK, Z_ENT, 1, 'x'
      FROM ZSDOUTBOXEVENT WHERE Z_PK <= 3;
      """
    let update = "UPDATE ZSDOUTBOXEVENT SET ZSTATUS = 'odd' WHERE Z_PK = 5;"
    let delete = "DELETE FROM ZSDOUTBOXEVENT WHERE Z_PK IN (7, 9);"
    #expect(try moves(after: insert) == events(added: 3))
    #expect(try moves(after: update) == events(changed: 1))
    #expect(try moves(after: delete) == events(removed: 2))
    #expect(try moves(after: insert + update + delete) == events(added: 3, changed: 1, removed: 2))
    let sentence = try #require(try moves(after: insert + update).first).description
    #expect(sentence == "3 SDOutboxEvent rows added, 1 changed")
  }

  @Test(arguments: [
    "UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = CAST(ZPAYLOAD AS TEXT) WHERE Z_PK = 1",
    "UPDATE ZSDOUTBOXEVENT SET ZERRORMESSAGE = '' WHERE Z_PK = 1 AND ZERRORMESSAGE IS NULL",
    "UPDATE ZSDOUTBOXEVENT SET ZRETRYCOUNT = CAST(ZRETRYCOUNT + 1.5 AS REAL) WHERE Z_PK = 1",
    "UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = ZPAYLOAD || x'20' WHERE Z_PK = 1",
  ])
  func `another type or one byte is another value`(change: String) throws {
    let change = change.replacing(" AND ZERRORMESSAGE IS NULL", with: "")
    #expect(try moves(after: change) == events(changed: 1))
  }

  @Test func `many rows are told as many`() throws {
    let insert = """
      WITH RECURSIVE n(k) AS (SELECT 1000 UNION ALL SELECT k + 1 FROM n WHERE k < 4999)
      INSERT INTO ZSDOUTBOXEVENT (Z_PK, Z_ENT, Z_OPT) SELECT k, 1, 1 FROM n
      """
    #expect(
      try moves(after: insert)
        == [.manyRows(entity: "SDOutboxEvent", before: 60, after: 4_060)])
  }

  @Test(arguments: [
    // A counter of saves says nothing of what was saved.
    "UPDATE ZSDOUTBOXEVENT SET Z_OPT = Z_OPT + 1",
    // Tables that the plan carries as they are.
    "UPDATE ZSDMOODENTRY SET ZNOTES = 'other'",
    "DELETE FROM ZSDJOURNALENTRY",
    // What an app writes when it opens a store.
    "UPDATE Z_METADATA SET Z_UUID = Z_UUID; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1",
    "DELETE FROM ATRANSACTION",
    "CREATE TABLE foreign_table (x); INSERT INTO foreign_table VALUES (1)",
    // The log's place, and the rows' in the file.
    "PRAGMA wal_checkpoint(TRUNCATE)",
    "UPDATE ZSDUSERPROFILE SET ZNAME = 'other'",
  ])
  func `what the plan isn't about leaves it as it is`(change: String) throws {
    #expect(try moves(after: change) == [])
  }

  @Test func `rows in the log are rows`() throws {
    #expect(
      try moves(after: "UPDATE ZSDOUTBOXEVENT SET ZSTATUS = 'odd' WHERE Z_PK = 1")
        == events(changed: 1))
  }

  @Test func `who the rows belong to is part of it, unless it was given`() throws {
    let change = "UPDATE ZSDUSERPROFILE SET ZUSERID = 'another'"
    #expect(
      try moves(after: change)
        == [.rows(EntityChange(entity: "SDUserProfile", added: 0, changed: 1, removed: 0))])
    #expect(try moves(request: MigrationRequest(userID: "me"), after: change) == [])
  }

  @Test func `tables whose entities get another number are written, and so part of it`() throws {
    let request = MigrationRequest(target: "V3")
    let change = "UPDATE ZSDUSERPROFILE SET ZNAME = 'another'"
    #expect(
      try moves("V2", of: "FitIQ", request: request, after: change)
        == [.rows(EntityChange(entity: "SDUserProfile", added: 0, changed: 1, removed: 0))])
  }

  @Test func `a store at another version is named`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let migrator = try bundledMigrator()
    let plan = try migrator.planFile(for: path)
    _ = try migrator.apply(plan, to: path)
    let error = #expect(throws: MigrationError.self) { try migrator.apply(plan, to: path) }
    #expect(error?.cause == .request(.stalePlan([.version(found: "Lume V7", planned: "Lume V6")])))
    #expect(error?.exitStatus == .stalePlan)
  }

  @Test func `migrations and schemas that are others are named`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let migrator = try bundledMigrator()
    let plan = try migrator.planFile(for: path)
    let old = try #require(
      migrator.catalog.migrations.first { $0.from == "V6" && $0.app == "Lume" })
    let changed = Migration(
      app: old.app, from: old.from, to: old.to, steps: old.steps, checksum: "another")
    let others = migrator.catalog.merging(Catalog(versions: [], migrations: [changed]))
    let error = #expect(throws: MigrationError.self) {
      try StoreMigrator(catalog: others).apply(plan, to: path)
    }
    #expect(error?.cause == .request(.stalePlan([.migration("V6-V7")])))

    var model = try #require(migrator.catalog.version("V7", of: "Lume")).model
    model.versionIdentifiers = ["7.0.1"]
    let version = ModelVersion(SchemaFile(app: "Lume", version: "V7", model: model))
    let newer = migrator.catalog.merging(Catalog(versions: [version], migrations: []))
    let other = #expect(throws: MigrationError.self) {
      try StoreMigrator(catalog: newer).apply(plan, to: path)
    }
    #expect(other?.cause == .request(.stalePlan([.schema("V7")])))
  }

  @Test func `a newer version that appeared since isn't where the plan goes`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V5", in: folder)
    let migrator = try bundledMigrator()
    let known = migrator.catalog
    let older = Catalog(
      versions: known.versions.filter { $0.name != "V7" },
      migrations: known.migrations.filter { $0.to != "V7" })
    let plan = try StoreMigrator(catalog: older).planFile(for: path)
    #expect(plan.plan.to == "V6")
    #expect(try migrator.apply(plan, to: path).to == "V6")
  }
}
