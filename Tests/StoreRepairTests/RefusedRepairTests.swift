import Foundation
import Migrations
import Platform
import SQLite
import StoreDiagnosis
import StoreFormat
import StoreMigration
import TestSupport
import Testing

@testable import StoreRepair

/// What a repair doesn't do, and what it says and leaves then.
@Suite struct RefusedRepairTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let migrator = StoreMigrator(catalog: .bundled)

  init() throws {
    folder = try TemporaryDirectory()
    path = try makeStore("V6", rows: 60, in: folder)
  }

  private func execute(_ sql: String) throws {
    let store = try Connection(path: path, mode: .readWrite)
    try store.execute(sql)
  }

  /// Puts the page of some rows in the place of a page of the schema.
  private func misdirectPage(of table: String) throws {
    let store = try Connection(path: path, mode: .readWrite)
    try store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let places = try [table, "sqlite_schema"].map { name in
      try store.value(
        "SELECT max(pageno) FROM dbstat WHERE name = ?1 AND pagetype = 'leaf'", [.text(name)])?
        .int64 ?? 0
    }
    let size = Int(try store.value("PRAGMA page_size")?.int64 ?? 0)
    _ = consume store
    var bytes = try StoreRepairTests.bytes(of: path)
    let page = bytes[(Int(places[0]) - 1) * size..<Int(places[0]) * size]
    bytes.replaceSubrange((Int(places[1]) - 1) * size..<Int(places[1]) * size, with: page)
    try Data(bytes).write(to: URL(filePath: path))
  }

  @Test func `rows in the schema's place aren't shown, and nothing is left behind`() throws {
    let secret = "a patient's name"
    try execute(
      """
      CREATE TABLE notes (a INTEGER, secret TEXT, b, d, e);
      INSERT INTO notes VALUES (1, 'a patient''s name', 'x', 4, 'y')
      """)
    try misdirectPage(of: "notes")
    let before = try bytes(of: path)
    let names = try FileSystem.list(folder.path)
    for isDryRun in [true, false] {
      let error = #expect(throws: MigrationError.self) {
        try migrator.repair(path, dryRun: isDryRun)
      }
      #expect(error?.description.contains("is damaged") == true)
      #expect(error?.description.contains(secret) == false, "\(String(describing: error))")
      #expect(try FileSystem.list(folder.path) == names)
    }
    let evidence = try migrator.diagnose(path).causes.flatMap(\.evidence)
    #expect(!evidence.isEmpty && !evidence.contains { $0.contains(secret) })
    #expect(try bytes(of: path) == before)
  }

  @Test func `a dry run ends as the repair would`() throws {
    try execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT = 1")
    let support = folder.path(".default_SUPPORT")
    try FileSystem.createDirectory(support, mode: 0o755)
    try FileSystem.createDirectory(support + "/_EXTERNAL_DATA", mode: 0o755)
    try FileSystem.createDirectory(support + "/_EXTERNAL_DATA/one", mode: 0o755)
    let errors = [true, false].map { isDryRun in
      #expect(throws: MigrationError.self) { try migrator.repair(path, dryRun: isDryRun) }
    }
    #expect(errors[0]?.description == errors[1]?.description)
    #expect(errors[0]?.description.contains("'.default_SUPPORT/_EXTERNAL_DATA/one'") == true)
    #expect(errors[0]?.exitStatus == errors[1]?.exitStatus)
  }

  @Test func `a virtual table stays as it is`() throws {
    try execute(
      """
      UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT = 1;
      CREATE VIRTUAL TABLE places USING rtree (id, west, east);
      INSERT INTO places VALUES (1, 2, 3)
      """)
    try execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
    let report = try repairedAgain(path)
    #expect(report.mends.map(\.kind) == [.maximumKeys])
    let store = try Connection(path: path, mode: .readOnly)
    #expect(try store.value("SELECT count(*) FROM places")?.int64 == 1)
  }
}
