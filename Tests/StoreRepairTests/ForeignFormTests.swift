import Migrations
import Platform
import SQLite
import StoreMigration
import StoreModel
import StoreRepair
import TestSupport
import Testing

/// What a repair can't write is refused with a sentence, and every byte stays.
@Suite struct ForeignFormTests {
  private func refusal(_ zoo: Zoo, _ statements: String...) throws -> RepairError? {
    try zoo.damage(statements.joined(separator: "; "))
    let before = try everything(in: zoo.folder.path)
    var errors: [RepairError] = []
    for isDryRun in [true, false] {
      let error = #expect(throws: RepairError.self) {
        try zoo.migrator.repair(zoo.path, zoo.options(), dryRun: isDryRun)
      }
      if let error { errors.append(error) }
    }
    // The folder's time stamp changes with the work file, which is removed.
    #expect(try everything(in: zoo.folder.path).dropLast() == before.dropLast())
    #expect(errors.count == 2 && errors.first == errors.last)
    return errors.first
  }

  private static let columns = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

  @Test(arguments: [
    ("ZKIND VARCHAR DEFAULT 'x'", "a default value"),
    ("ZKIND VARCHAR NOT NULL DEFAULT ''", "a default value"),
    ("ZKIND VARCHAR NOT NULL", "a NOT NULL constraint"),
    ("ZKIND VARCHAR CHECK (length(ZKIND) > 0)", "a CHECK constraint"),
    ("ZKIND VARCHAR COLLATE NOCASE", "a collation"),
    ("ZKIND VARCHAR UNIQUE", "a UNIQUE constraint"),
    ("ZKIND VARCHAR REFERENCES ZTAG", "a FOREIGN KEY constraint"),
    ("ZKIND VARCHAR, ZX AS (ZKIND || 'x')", "a generated column"),
    ("ZKIND VARCHAR, ZX AS (ZKIND || 'x') STORED", "a generated column"),
  ])
  func `a table with what Core Data's don't have is named`(column: String, part: String) throws {
    let error = try refusal(
      try Zoo(), "DROP TABLE ZTOY", "CREATE TABLE ZTOY (\(Self.columns), \(column))")
    guard case .foreignForm(_, "ZTOY", let has) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(has == part)
  }

  @Test func `a table without row numbers is named`() throws {
    let error = try refusal(
      try Zoo(), "DROP TABLE ZTOY",
      "CREATE TABLE ZTOY (\(Self.columns), ZKIND VARCHAR) WITHOUT ROWID")
    guard case .foreignForm(_, "ZTOY", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `words in names don't count`() throws {
    let zoo = try Zoo()
    try zoo.damage(
      """
      CREATE TABLE "not unique" ("check" INTEGER, [collate] INTEGER);
      CREATE TABLE x AS SELECT *, 1 AS "strict" FROM ZTOY; DROP TABLE x;
      UPDATE ZTAG SET Z_ENT = 99
      """)
    #expect(try zoo.migrator.repair(zoo.path, zoo.options()).isWhole)
  }

  @Test(arguments: [
    ("CREATE VIEW ZTOY AS SELECT 1", "view"),
    ("CREATE VIRTUAL TABLE ZTOY USING fts5(a)", "virtual table"),
    ("CREATE INDEX ZTOY ON ZTAG (Z_ENT)", "index"),
  ])
  func `what has the name of a table is named`(statement: String, kind: String) throws {
    let error = try refusal(try Zoo(), "DROP TABLE ZTOY", statement)
    guard case .nameTaken(_, "ZTOY", let by) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(by == kind)
  }

  @Test func `a damaged store with a virtual table is refused`() throws {
    let zoo = try Zoo()
    try zoo.damage("CREATE VIRTUAL TABLE words USING fts5(a)")
    let intact = try IntactRows(of: zoo.path)
    let leaf = try #require(intact.leaves.first { $0.table == "ZTOY" })
    var damaged = try bytes(of: zoo.path)
    let start = (leaf.page - 1) * intact.pageSize
    damaged.replaceSubrange(
      start..<start + intact.pageSize, with: repeatElement(0, count: intact.pageSize))
    try FileSystem.replace(zoo.path, with: damaged, mode: 0o644, suffix: ".new")
    let error = #expect(throws: RepairError.self) {
      try zoo.migrator.repair(zoo.path, zoo.options())
    }
    guard case .unsavable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try bytes(of: zoo.path) == damaged)
  }

  @Test func `a version that isn't the store's is refused`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    try damage(path, "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT < 16001")
    let migrator = StoreMigrator(catalog: .bundled)
    let other = try #require(
      migrator.catalog.versions.first { $0.app == "Lume" && $0.name == "V7" })
    let before = try bytes(of: path)
    let error = #expect(throws: RepairError.self) {
      try migrator.repair(path, RepairOptions(versions: [other]))
    }
    #expect(error == .otherVersion(path, given: "V7", found: "V6"))
    #expect(try bytes(of: path) == before)
  }

  @Test func `one value for several rows of a unique attribute is refused`() throws {
    let zoo = try Zoo()
    try zoo.damage("UPDATE ZCHIP SET ZNUMBER = NULL")
    let fill = try #require(RepairOptions.Fill("Chip.number=5"))
    let error = #expect(throws: RepairError.self) {
      try zoo.migrator.repair(zoo.path, zoo.options(filling: [fill]))
    }
    guard case .uniqueAttribute("Chip.number", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
