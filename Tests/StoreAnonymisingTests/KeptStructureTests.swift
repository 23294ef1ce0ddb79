import Migrations
import Platform
import SQLite
import StoreAnonymising
import StoreFormat
import StoreMigration
import TestSupport
import Testing

/// What stays of a store, and what a smaller result has.
@Suite struct KeptStructureTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = try makeStore("V6", rows: 200, seed: 5, users: 2, in: folder)
  }

  private var result: String { folder.path("result.store") }

  @Test func missingValuesDuplicatesLengthsAndDistancesStay() throws {
    try anonymise(path, to: result, catalog: .bundled, seed: 9)
    let (old, new) = (
      try rows(of: "ZSDJOURNALENTRY", in: path), try rows(of: "ZSDJOURNALENTRY", in: result)
    )
    try #require(old.count == new.count && old.count > 5)
    for (before, after) in zip(old, new) {
      #expect(before.keys.sorted() == after.keys.sorted())
      for (column, value) in before {
        #expect(value.storageClass == after[column]?.storageClass, "\(column)")
        #expect(value.bytes?.count == after[column]?.bytes?.count, "\(column)")
        #expect(
          value.string?.unicodeScalars.count == after[column]?.string?.unicodeScalars.count,
          "\(column)")
      }
      #expect(before["Z_PK"] == after["Z_PK"])
    }
    for column in ["ZUSERID", "ZTITLE", "ZID", "ZCONTENT"] {
      let pairs = Set(zip(old, new).map { [$0[column], $1[column]] })
      #expect(pairs.count == Set(old.map { $0[column] }).count)
      #expect(pairs.count == Set(new.map { $0[column] }).count)
    }
    let distances = Set(
      zip(old, new).compactMap { before, after -> Int? in
        guard let (left, right) = Self.seconds(before["ZDATE"], after["ZDATE"]) else { return nil }
        return Int((left - right).rounded())
      })
    #expect(distances.count == 1)
    let favorites = [old, new].map { $0.count { $0["ZISFAVORITE"] == .integer(1) } }
    #expect(favorites[0] == favorites[1])
  }

  private static func seconds(_ left: Value?, _ right: Value?) -> (Double, Double)? {
    func number(_ value: Value?) -> Double? {
      value?.double ?? value?.int64.map { Double($0) }
    }
    guard let left = number(left), let right = number(right) else { return nil }
    return (left, right)
  }

  @Test func aSeedGivesTheSameRowsAgainAndAnotherSeedOthers() throws {
    let names = (1...3).map { folder.path("\($0).store") }
    for (name, seed) in zip(names, [4, 4, 5] as [UInt64]) {
      try anonymise(path, to: name, catalog: .bundled, seed: seed)
    }
    let contents = try names.map { try rows(of: "ZSDJOURNALENTRY", in: $0) }
    #expect(contents[0] == contents[1])
    #expect(contents[0] != contents[2])
  }

  @Test func aSmallResultHasTheClassesOfTheWholeAndNoDanglingLink() throws {
    let written = try anonymise(path, to: result, catalog: .bundled, rows: 20, seed: 2)
    #expect(written.tables.contains { $0.rows < $0.ofRows })
    let request = MigrationRequest(userID: "6F9619FF-8B86-4D01-B42D-00CF4FC964FF")
    let migrator = StoreMigrator(catalog: .bundled)
    let whole = try migrator.plan(for: path, request)
    let part = try migrator.plan(for: result, request)
    #expect(part.steps.map(\.object) == whole.steps.map(\.object))
    #expect(part.losses.map(\.step) == whole.losses.map(\.step))
    #expect(part.warnings.map(\.code) == whole.warnings.map(\.code))
    #expect(part.blockers.map(\.code) == whole.blockers.map(\.code))
    #expect(
      part.conversions.map { $0.classes.filter { $0.count > 0 }.map(\.name) }
        == whole.conversions.map { $0.classes.filter { $0.count > 0 }.map(\.name) })
    #expect(part.rowsWritten < whole.rowsWritten)
    #expect(try checkAnonymised(result, against: path, catalog: .bundled).traces == [])
  }

  @Test func aNumberThatTheStoreDoesNotReachKeepsAllRows() throws {
    let written = try anonymise(path, to: result, catalog: .bundled, rows: 100_000, seed: 2)
    let tables = written.tables.filter { $0.name.hasPrefix("SD") }
    #expect(tables.contains { $0.rows > 100 })
    #expect(tables.allSatisfy { $0.rows == $0.ofRows })
  }

  @Test func aSmallResultOfLinkedRowsIsClosedAndHasEachEdge() throws {
    let zoo = try ZooStore()
    try anonymise(zoo.path, to: result, catalog: .bundled, rows: 10, seed: 2)
    let old = try Connection(path: zoo.path, mode: .readOnlyUnshared)
    let new = try Connection(path: result, mode: .readOnlyUnshared)
    let model = ZooStore.model
    let layout = StoreLayout(model)
    for table in layout.tables {
      for column in table.columns {
        guard let link = model.link(in: column), let target = layout.table(of: link.entity) else {
          continue
        }
        let query =
          """
          SELECT count(*), count(\(column.name)), count(*) FILTER (WHERE \(column.name) NOT IN
            (SELECT Z_PK FROM \(target.name))) FROM \(table.name)
          """
        // Whether there are rows with a link, and links to missing rows.
        let (left, right) = (try old.rows(query)[0], try new.rows(query)[0])
        let place = "\(table.name).\(column.name)"
        #expect((left[1] == .integer(0)) == (right[1] == .integer(0)), "\(place)")
        #expect((left[2] == .integer(0)) == (right[2] == .integer(0)), "\(place)")
      }
    }
    #expect(try checkAnonymised(result, against: zoo.path, catalog: .bundled).traces == [])
  }

  @Test(arguments: [
    "UPDATE ZANIMAL SET ZCHIP = 999999 WHERE ZCHIP IS NOT NULL",
    "DELETE FROM Z_METADATA", "DELETE FROM Z_MODELCACHE", "DROP TABLE ZTOY",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 0", "UPDATE Z_METADATA SET Z_PLIST = x'00'",
    "UPDATE Z_MODELCACHE SET Z_CONTENT = x'0011223344556677889900'",
    "INSERT INTO Z_METADATA SELECT 9, Z_UUID, Z_PLIST FROM Z_METADATA",
    "UPDATE ZCHIP SET Z_PK = Z_PK + 5000000000",
  ])
  func aDamagedStoreStaysDamagedTheSameWay(_ sql: String) throws {
    let zoo = try ZooStore()
    try zoo.damage(sql)
    try zoo.addLog()
    do {
      try anonymise(zoo.path, to: result, catalog: .bundled, seed: 2)
    } catch {
      // Without a model, nobody knows what the columns contain.
      #expect(error == .noModel(zoo.path))
      #expect(sql.contains("Z_MODELCACHE"))
      return
    }
    let migrator = StoreMigrator(catalog: .bundled)
    let failed = [zoo.path, result].map { path in
      (try? migrator.verify(path))?.checks.filter { !$0.isPassed }.map(\.name)
    }
    #expect(failed[0] == failed[1])
    let request = MigrationRequest()
    #expect(planLines(of: result, request) == planLines(of: zoo.path, request))
  }

  @Test(arguments: [
    "CREATE VIEW anna AS SELECT 1", "CREATE TABLE ZNOTE (Z_PK INTEGER /* Anna */)",
    "CREATE TABLE ZNOTE (ZNAME DEFAULT 'Anna')",
    "CREATE INDEX i ON ZSDMOODENTRY (ZSOURCE || 'Anna')",
  ])
  func aSchemaThatMayHaveTextsIsRefused(_ sql: String) throws {
    do {
      let store = try Connection(path: path, mode: .readWrite)
      try store.execute(sql, [])
    }
    #expect { try anonymise(path, to: result, catalog: .bundled, seed: 2) } throws: { error in
      guard case .strangeSchema = error as? AnonymisingError else { return false }
      return true
    }
    #expect(try !FileSystem.exists(result))
    #expect(try !FileSystem.exists(result + FileSystem.draftSuffix))
  }

  @Test func nothingThatExistsIsReplaced() throws {
    try FileSystem.create(result, [1, 2, 3])
    #expect(throws: AnonymisingError.exists(result)) {
      try anonymise(path, to: result, catalog: .bundled, seed: 2)
    }
    #expect(try FileSystem.read(result) == [1, 2, 3])
  }
}
