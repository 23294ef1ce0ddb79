import Foundation
import Platform
import SQLite
import StoreDiagnosis
import StoreFormat
import StoreMigration
import StoreModel
import StoreRepair
import TestSupport
import Testing

/// Rows of the zoo that are broken in one way, with what a repair does about them.
@Suite struct RowRepairTests {
  /// Breaks the zoo, repairs it, rolls it back and repairs it again.
  private func repaired(
    _ zoo: Zoo, _ statements: String, filling fills: [RepairOptions.Fill] = []
  ) throws -> RepairReport {
    try zoo.damage(statements)
    let broken = try bytes(of: zoo.path)
    let planned = try zoo.migrator.repair(zoo.path, zoo.options(filling: fills), dryRun: true)
    #expect(try bytes(of: zoo.path) == broken)
    let done = try zoo.migrator.repair(zoo.path, zoo.options(filling: fills))
    #expect(planned.mends == done.mends && planned.ledger == done.ledger)
    #expect(planned.left == done.left && planned.losses == done.losses)
    _ = try zoo.migrator.rollback(zoo.path)
    #expect(try bytes(of: zoo.path) == broken)
    _ = try zoo.migrator.repair(zoo.path, zoo.options(filling: fills))
    #expect(try zoo.migrator.diagnose(zoo.path).causes.map(\.code) == done.left.map(\.code))
    return done
  }

  private func value(_ sql: String, _ zoo: Zoo) throws -> Value? {
    try Connection(path: zoo.path, mode: .readOnlyUnshared).value(sql)
  }

  @Test func `rows of no entity get the only one of their table`() throws {
    let zoo = try Zoo()
    let before = try StoreContent(of: zoo.path)
    let report = try repaired(zoo, "UPDATE ZTAG SET Z_ENT = 99 WHERE Z_PK < 4")
    #expect(report.mends.map(\.kind) == [.rowEntities])
    #expect(report.mends.first?.count == 3 && report.mends.first?.keys == [1, 2, 3])
    #expect(report.left == [])
    #expect(try StoreContent(of: zoo.path).rows["ZTAG"] == before.rows["ZTAG"])
    let account = try #require(report.ledger.first { $0.table == "ZTAG" })
    #expect(account.changed == 3 && account.entity == "Tag" && account.removed == 0)
    #expect(account.unchanged == account.rows - 3)
  }

  @Test func `rows of a tree get the only entity whose columns they fill`() throws {
    let zoo = try Zoo()
    let before = try StoreContent(of: zoo.path)
    let report = try repaired(zoo, "UPDATE ZANIMAL SET Z_ENT = 77")
    // A cat has lives, which a dog can't have; a dog lacks what every cat has.
    #expect(report.mends.contains { $0.kind == .rowEntities })
    #expect(report.left == [])
    #expect(try StoreContent(of: zoo.path).rows["ZANIMAL"] == before.rows["ZANIMAL"])
  }

  @Test func `optional links to nothing are removed`() throws {
    let zoo = try Zoo()
    let count = try value("SELECT count(*) FROM ZCHIP WHERE ZCAT IS NOT NULL", zoo)?.int64 ?? 0
    let report = try repaired(zoo, "UPDATE ZCHIP SET ZCAT = 9999 WHERE ZCAT IS NOT NULL")
    #expect(count > 0)
    let mend = try #require(report.mends.first { $0.kind == .links })
    #expect(mend.name == "Chip.cat" && mend.count == count)
    #expect(try value("SELECT count(*) FROM ZCHIP WHERE ZCAT IS NOT NULL", zoo) == 0)
  }

  @Test
  func `links to a super-entity lose their entity numbers, too, and wrong ones are corrected`()
    throws
  {
    let zoo = try Zoo()
    let before = try StoreContent(of: zoo.path)
    let number = try #require(
      before.rows["ZPHOTO"]?.values.first?.keys.first { $0.hasSuffix("_SUBJECT") })
    let report = try repaired(zoo, "UPDATE ZPHOTO SET \(number) = 6 WHERE ZSUBJECT IS NOT NULL")
    #expect(report.mends.map(\.kind) == [.linkEntities])
    #expect(try StoreContent(of: zoo.path).rows["ZPHOTO"] == before.rows["ZPHOTO"])
    let dangling = try repaired(try Zoo(), "UPDATE ZPHOTO SET ZSUBJECT = 9999")
    #expect(dangling.mends.map(\.kind) == [.links] && dangling.left == [])
  }

  @Test func `join rows without ends are removed`() throws {
    let zoo = try Zoo()
    let before = try StoreContent(of: zoo.path)
    let table = try #require(before.rows.keys.first { $0.hasPrefix("Z_6TOYS") })
    let report = try repaired(zoo, "INSERT INTO \(table) VALUES (8001, 1), (1, 8002), (8003, NULL)")
    let mend = try #require(report.mends.first)
    #expect(mend.kind == .joinRows && mend.count == 3 && report.left == [])
    #expect(try StoreContent(of: zoo.path).rows[table] == before.rows[table])
    #expect(report.ledger.first { $0.table == table }?.removed == 3)
  }

  @Test func `doubled keys are told apart, and equal rows become one`() throws {
    let zoo = try Zoo()
    let before = try StoreContent(of: zoo.path)
    let count = try #require(before.rows["ZTOY"]).count
    let report = try repaired(
      zoo,
      """
      CREATE TABLE x AS SELECT * FROM ZTOY; DROP TABLE ZTOY; ALTER TABLE x RENAME TO ZTOY;
      INSERT INTO ZTOY SELECT * FROM ZTOY WHERE Z_PK = 1;
      INSERT INTO ZTOY (Z_PK, Z_ENT, Z_OPT, ZKIND) VALUES (2, 7, 1, 'another')
      """)
    let mend = try #require(report.mends.first { $0.kind == .doubledKeys })
    #expect(mend.count == 2 && report.left == [])
    let after = try #require(try StoreContent(of: zoo.path).rows["ZTOY"])
    #expect(after.count == count + 1)
    for (key, row) in before.rows["ZTOY"] ?? [:] { #expect(after[key] == row) }
    let others = after.values.filter { $0["ZKIND"] == .text("another") }
    #expect(others.count == 1)
    #expect(
      report.mends.contains { $0.kind == .index }
        && report.mends.contains { $0.kind == .maximumKeys })
  }

  @Test func `a doubled row gets no key that a row had or a link has`() throws {
    let zoo = try Zoo()
    let table = try #require(
      try StoreContent(of: zoo.path).rows.keys.first { $0.hasPrefix("Z_6TOYS") })
    let number = try value("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Toy'", zoo)?.int64 ?? 0
    let columns = try Connection(path: zoo.path, mode: .readOnlyUnshared).rows(
      "PRAGMA table_info(\(table))"
    ).compactMap { $0[1].string }
    let toys = try #require(columns.first { $0.contains("TOY") })
    let report = try repaired(
      zoo,
      """
      CREATE TABLE x AS SELECT * FROM ZTOY; DROP TABLE ZTOY; ALTER TABLE x RENAME TO ZTOY;
      INSERT INTO ZTOY (Z_PK, Z_ENT, Z_OPT, ZKIND) VALUES (2, \(number), 1, 'another');
      UPDATE Z_PRIMARYKEY SET Z_MAX = 500 WHERE Z_ENT = \(number);
      UPDATE OR IGNORE \(table) SET \(toys) = 700 WHERE rowid = 1;
      CREATE TRIGGER kept AFTER DELETE ON ZTOY BEGIN SELECT 1; END
      """)
    let mend = try #require(report.mends.first { $0.kind == .doubledKeys })
    #expect(mend.keys == [701])
    #expect(try value("SELECT Z_PK FROM ZTOY WHERE ZKIND = 'another'", zoo) == 701)
    #expect(try value("SELECT count(*) FROM \(table) WHERE \(toys) = 701", zoo) == 0)
    #expect(
      try value("SELECT sql FROM sqlite_schema WHERE name = 'kept'", zoo)?.string?.contains(
        "ON ZTOY")
        == true)
    let account = try #require(report.ledger.first { $0.table == "ZTOY" })
    #expect(account.changed == 1 && account.unchanged == account.rows - 1)
  }

  @Test func `a doubled row of a join table goes`() throws {
    let zoo = try Zoo()
    let before = try StoreContent(of: zoo.path)
    let table = try #require(before.rows.keys.first { $0.hasPrefix("Z_6TOYS") })
    let report = try repaired(
      zoo,
      """
      CREATE TABLE x AS SELECT * FROM \(table); DROP TABLE \(table); ALTER TABLE x RENAME TO \(table);
      INSERT INTO \(table) SELECT * FROM \(table) LIMIT 2
      """)
    #expect(report.mends.first { $0.kind == .doubledKeys }?.count == 2 && report.left == [])
    let after = try StoreContent(of: zoo.path).rows[table] ?? [:]
    #expect(Set(after.values) == Set(before.rows[table]?.values.map { $0 } ?? []))
  }

  @Test func `missing tables and columns are made, and their rows are lost`() throws {
    let zoo = try Zoo()
    let report = try repaired(
      zoo, "DROP TABLE ZTAG; ALTER TABLE ZTOY DROP COLUMN Z_OPT; DROP INDEX IF EXISTS Z_Toy_byKind")
    let kinds = Set(report.mends.map(\.kind))
    #expect(kinds.isSuperset(of: [.table, .column, .index, .joinRows]) && report.left == [])
    #expect(report.losses.map(\.name) == ["Tag"])
    #expect(report.losses.first?.count == nil)
  }

  @Test func `rows without a mandatory value stay, unless a value is given`() throws {
    let zoo = try Zoo()
    let report = try repaired(
      zoo, "UPDATE ZANIMAL SET ZNAME = NULL WHERE Z_PK < 3; UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
    #expect(report.left.map(\.code) == [.missingValues] && !report.isWhole)
    let fill = try #require(RepairOptions.Fill("Animal.name=Rex"))
    let filled = try zoo.migrator.repair(zoo.path, zoo.options(filling: [fill]))
    #expect(filled.isWhole && filled.mends.map(\.kind) == [.values])
    let named = try value("SELECT count(*) FROM ZANIMAL WHERE ZNAME = 'Rex'", zoo)?.int64
    #expect(named == filled.mends.first?.count && named ?? 0 > 0)
  }

  @Test func `what can't be mended is said and left`() throws {
    let zoo = try Zoo()
    let report = try repaired(
      zoo,
      """
      DROP INDEX Z_Chip_UNIQUE_number; UPDATE ZCHIP SET ZNUMBER = 5;
      UPDATE ZPHOTO SET ZLARGE = 'text' WHERE Z_PK = (SELECT min(Z_PK) FROM ZPHOTO);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT < 16001
      """)
    #expect(Set(report.left.map(\.code)) == [.missingIndex, .wrongTypes])
    #expect(report.mends.map(\.kind) == [.maximumKeys])
    let rest = try zoo.migrator.repair(zoo.path, zoo.options())
    #expect(rest.mends == [] && rest.snapshot == nil && rest.left == report.left)
  }
}
