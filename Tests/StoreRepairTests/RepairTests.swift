import Foundation
import Migrations
import Platform
import SQLite
import StoreDiagnosis
import StoreFormat
import StoreMigration
import StoreModel
import TestSupport
import Testing

@testable import StoreRepair

@Suite struct RepairTests {
  private let migrator = StoreMigrator(catalog: .bundled)

  /// Versions of both apps, whose stores are broken by each statement.
  private static let versions = [("Lume", "V3"), ("Lume", "V7"), ("FitIQ", "V11")]

  /// Breaks that a repair undoes row by row.
  private static let breaks: [(name: String, kinds: Set<Mend.Kind>, sql: [String])] = [
    ("no metadata", [.metadata], ["DELETE FROM Z_METADATA"]),
    ("metadata that can't be read", [.metadata], ["UPDATE Z_METADATA SET Z_PLIST = x'00'"]),
    (
      "two rows of metadata", [.metadata],
      ["INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA"]
    ),
    ("no table of metadata", [.table, .metadata], ["DROP TABLE Z_METADATA"]),
    ("no model cache", [.modelCache], ["DELETE FROM Z_MODELCACHE"]),
    ("no table of the model cache", [.modelCache], ["DROP TABLE Z_MODELCACHE"]),
    ("a cache that can't be read", [.modelCache], ["UPDATE Z_MODELCACHE SET Z_CONTENT = x'0102'"]),
    (
      "neither metadata nor cache", [.metadata, .modelCache],
      ["DELETE FROM Z_METADATA", "DELETE FROM Z_MODELCACHE"]
    ),
    (
      "no entities", [.entityNumbers, .maximumKeys],
      ["DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < 16001"]
    ),
    ("no table of entities", [.table, .entityNumbers, .maximumKeys], ["DROP TABLE Z_PRIMARYKEY"]),
    (
      "another entity number", [.entityNumbers],
      ["UPDATE Z_PRIMARYKEY SET Z_ENT = 400 WHERE Z_ENT = 2"]
    ),
    (
      "a doubled entity", [.entityNumbers],
      ["INSERT INTO Z_PRIMARYKEY SELECT 400, Z_NAME, 0, 0 FROM Z_PRIMARYKEY WHERE Z_ENT = 1"]
    ),
    (
      "keys that are taken", [.maximumKeys],
      ["UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT < 16001"]
    ),
    (
      "keys that none can follow", [.maximumKeys],
      ["UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_ENT = 1"]
    ),
  ]

  /// Whether two stores have the same rows, besides those of Core Data's own tables.
  private func expectSameRows(_ before: StoreContent, _ path: String) throws {
    let after = try StoreContent(of: path)
    let own: Set = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
    for (table, rows) in before.rows where !own.contains(table) {
      #expect(after.rows[table] == rows, "rows of \(table)")
    }
    #expect(after.rows.keys == before.rows.keys || Set(after.rows.keys) == Set(before.rows.keys))
    #expect(after.indexes.isSuperset(of: before.indexes))
  }

  /// Repairs a broken store: a dry run first, then the repair, its rollback, and that one's.
  @discardableResult
  private func repair(
    _ path: String, _ options: RepairOptions = RepairOptions(), in folder: TemporaryDirectory
  ) throws -> RepairReport {
    let broken = try bytes(of: path)
    let found = try everything(in: folder.path)
    let planned = try migrator.repair(path, options, dryRun: true)
    #expect(try everything(in: folder.path) == found)
    let done = try migrator.repair(path, options)
    #expect(planned.mends == done.mends)
    #expect(planned.losses == done.losses)
    #expect(planned.ledger == done.ledger)
    #expect(planned.left == done.left)
    #expect(planned.version == done.version && planned.evidence == done.evidence)
    #expect(done.snapshot != nil)
    let repaired = try bytes(of: path)
    let rolledBack = try migrator.rollback(path)
    #expect(rolledBack.undoneCommand == "repair")
    #expect(try bytes(of: path) == broken)
    // The rollback says that it can be undone in the same way, though the store is torn again.
    _ = try migrator.rollback(path)
    #expect(try bytes(of: path) == repaired)
    _ = try migrator.rollback(path)
    #expect(try bytes(of: path) == broken)
    let again = try migrator.repair(path, options)
    #expect(again.mends == done.mends)
    // A new UUID differs from run to run.
    if done.notes.isEmpty { #expect(try bytes(of: path).count == repaired.count) }
    return done
  }

  @Test func `a number gets its column's form when its row is mended`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    // As after damage: a real number in a column that has whole numbers as integers.
    for (from, to) in [("TIMESTAMP", "BLOB"), ("BLOB", "TIMESTAMP")] {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.set(.defensive, to: false)
      try connection.execute("PRAGMA writable_schema = ON")
      try connection.execute(
        """
        UPDATE sqlite_schema SET sql = replace(sql, 'ZDATE \(from)', 'ZDATE \(to)')
        WHERE name = 'ZSDMOODENTRY'
        """)
      try connection.execute("PRAGMA writable_schema = RESET")
      guard to == "BLOB" else { continue }
      try connection.execute("UPDATE ZSDMOODENTRY SET ZDATE = 5.0, Z_ENT = 0 WHERE Z_PK = 1")
    }
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let type = "SELECT typeof(ZDATE) FROM ZSDMOODENTRY WHERE Z_PK = 1"
    #expect(try connection.value(type)?.string == "real")
    _ = consume connection
    #expect(try repair(path, in: folder).mends.map(\.kind) == [.rowEntities])
    let repaired = try Connection(path: path, mode: .readOnlyUnshared)
    #expect(try repaired.value(type)?.string == "integer")
  }

  @Test(arguments: sample(4, of: Array(breaks.indices)), versions.indices)
  func `what is broken is as it was before`(place: Int, version: Int) throws {
    let (app, name) = Self.versions[version]
    let broken = Self.breaks[place]
    let folder = try TemporaryDirectory()
    let path = try makeStore(name, of: app, in: folder)
    let before = try StoreContent(of: path)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA journal_mode = DELETE")
    for statement in broken.sql { try connection.execute(statement) }
    _ = consume connection
    let report = try repair(path, in: folder)
    #expect(Set(report.mends.map(\.kind)) == broken.kinds, "\(broken.name)")
    #expect(report.left == [] && report.losses == [])
    #expect(report.version == name && report.app == app)
    try expectSameRows(before, path)
    #expect(try migrator.diagnose(path).causes == [])
    let known = try #require(Catalog.bundled.version(name, of: app))
    #expect(try migrator.diagnose(path, appVersions: [known]).causes == [])
    #expect(try migrator.repair(path).mends == [])
    let entities = before.rows["Z_PRIMARYKEY"]?.filter { $0.key < 16_001 }
    let after = try StoreContent(of: path).rows["Z_PRIMARYKEY"]?.filter { $0.key < 16_001 }
    #expect(after?.mapValues { $0["Z_NAME"] } == entities?.mapValues { $0["Z_NAME"] })
  }

  @Test(arguments: versions.indices)
  func `every index of a version is made again`(version: Int) throws {
    let (app, name) = Self.versions[version]
    let folder = try TemporaryDirectory()
    let path = try makeStore(name, of: app, in: folder)
    let before = try StoreContent(of: path)
    let history = ["ACHANGE", "ATRANSACTION", "Z_TRANSACTION"]
    let names = before.indexes.filter { index in !history.contains { index.hasPrefix($0) } }
    for name in names { try damage(path, "DROP INDEX \(quoteIdentifier(name))") }
    let report = try repair(path, in: folder)
    #expect(Set(report.mends.map(\.kind)) == [.index])
    #expect(Set(report.mends.map(\.name)) == names)
    try expectSameRows(before, path)
    #expect(try migrator.diagnose(path).causes == [])
  }

  @Test(arguments: versions.indices)
  func `columns of mandatory attributes get the given values, and are refused without`(
    version: Int
  ) throws {
    let (app, name) = Self.versions[version]
    let folder = try TemporaryDirectory()
    let path = try makeStore(name, of: app, in: folder)
    let model = try #require(Catalog.bundled.version(name, of: app)?.model)
    let layout = StoreLayout(model)
    let indexed = Set(
      layout.indexes.flatMap { index in index.columns.map { "\(index.table).\($0)" } })
    let found = layout.tables.flatMap { table in table.columns.map { (table, $0) } }.first {
      table, column in
      guard case .attribute(let entity, let path, .string) = column.content,
        case .attribute(let attribute) = model[entity]?[path[0]]
      else { return false }
      return !attribute.isOptional && attribute.defaultValue == nil && path.count == 1
        && !indexed.contains("\(table.name).\(column.name)")
    }
    // Every such attribute of FitIQ has a default value.
    guard let (table, column) = found else { return }
    guard case .attribute(let entity, let names, _) = column.content else { return }
    let attribute = "\(entity).\(names[0])"
    try damage(path, "ALTER TABLE \(table.name) DROP COLUMN \(column.name)")
    let broken = try bytes(of: path)
    let failure = #expect(throws: RepairError.self) { try migrator.repair(path) }
    #expect(failure == .valuesNeeded(path, attributes: [attribute]))
    #expect(failure?.description.contains("--fill '\(attribute)=VALUE'") == true)
    #expect(try bytes(of: path) == broken)
    let fill = try #require(RepairOptions.Fill("\(attribute)=given"))
    let report = try repair(path, RepairOptions(fills: [fill]), in: folder)
    #expect(Set(report.mends.map(\.kind)) == [.column, .values])
    #expect(report.losses.map(\.name) == [attribute])
    #expect(try migrator.diagnose(path).causes == [])
    let values = try rows(of: table.name, in: path).map { $0[column.name] }
    #expect(!values.isEmpty && values.allSatisfy { $0 == .text("given") })
  }

  @Test func `wrong options are refused before anything is written`() throws {
    let zoo = try Zoo()
    try zoo.damage("UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
    func failure(_ text: String) throws -> RepairError? {
      let fill = try #require(RepairOptions.Fill(text))
      return #expect(throws: RepairError.self) {
        try zoo.migrator.repair(zoo.path, zoo.options(filling: [fill]), dryRun: true)
      }
    }
    #expect(try failure("Cat.age=3") == .noAttribute("Cat.age"))
    try zoo.damage("UPDATE ZANIMAL SET ZLIVES = NULL")
    guard case .badValue? = try failure("Cat.lives=many") else {
      Issue.record("a text is no number")
      return
    }
    #expect(RepairOptions.Fill("Cat.lives") == nil && RepairOptions.Fill("=3") == nil)
  }

  @Test func `a store of no known version is refused, and may be named`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("default.store")
    try Connection(path: path, mode: .create).execute("CREATE TABLE t (a)")
    let failure = #expect(throws: RepairError.self) { try migrator.repair(path) }
    guard case .noVersion? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    let version = try #require(Catalog.bundled.version("V7", of: "Lume"))
    #expect(throws: RepairError.self) {
      try migrator.repair(path, RepairOptions(versions: [version]))
    }
  }

  @Test func `metadata of another version is replaced by that of the tables`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let before = try StoreContent(of: path)
    let other = try TemporaryDirectory()
    let newer = try makeStore("V7", in: other)
    let plist = try StoreContent(of: newer).rows["Z_METADATA"]?[1]?["Z_PLIST"]
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("UPDATE Z_METADATA SET Z_PLIST = ?1", [try #require(plist)])
    _ = consume connection
    let report = try repair(path, in: folder)
    #expect(report.version == "V6" && Set(report.mends.map(\.kind)) == [.metadata])
    try expectSameRows(before, path)
    #expect(try migrator.diagnose(path).causes == [])
  }

  @Test func `a store that mirrors to CloudKit isn't repaired`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", isMirrored: true, in: folder)
    try damage(path, "DELETE FROM Z_MODELCACHE")
    #expect(throws: MigrationError.self) { try migrator.repair(path) }
  }

  @Test func `later writes are refused by a rollback unless they are discarded`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", in: folder)
    try damage(path, "DELETE FROM Z_METADATA")
    let broken = try bytes(of: path)
    _ = try migrator.repair(path)
    try damage(path, "UPDATE ZSDOUTBOXEVENT SET ZATTEMPTCOUNT = 3 WHERE Z_PK = 1")
    #expect(throws: MigrationError.self) { try migrator.rollback(path) }
    _ = try migrator.rollback(path, laterWrites: .discard)
    #expect(try bytes(of: path) == broken)
  }

  @Test func `verify accepts a repaired store`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", in: folder)
    try damage(path, "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT < 16001")
    _ = try migrator.repair(path)
    let report = try migrator.verify(path)
    #expect(report.checks.filter { !$0.isPassed }.map { $0.name } == [])
  }

  @Test(arguments: sample(10, of: RealStores.folders.map(\.name)))
  func `a real store is repaired, and a healthy one isn't written`(name: String) throws {
    guard let original = RealStores.path(of: name) else { return }
    let folder = try TemporaryDirectory()
    let path = folder.path(FileSystem.name(of: original))
    for ending in ["", "-wal", "-shm"] where try FileSystem.exists(original + ending) {
      try Data(FileSystem.read(original + ending)).write(to: URL(filePath: path + ending))
    }
    guard let healthy = try? migrator.repair(path, dryRun: true) else { return }
    #expect(healthy.mends.filter { $0.kind != .links && $0.kind != .joinRows } == [], "\(name)")
    try damage(path)
    let before = try StoreContent(of: path)
    let version = StoreFiles(path: path)
    let model = try #require(
      try StoreDescription(reading: Connection(path: version.path, mode: .readOnlyUnshared))
        .cachedModel)
    try damage(
      path, "DELETE FROM Z_METADATA",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT < 16001")
    let given = ModelVersion(SchemaFile(app: "given", version: "1", model: model))
    let report = try migrator.repair(path, RepairOptions(versions: [given]))
    #expect(report.mends.contains { $0.kind == .metadata }, "\(name)")
    let after = try StoreContent(of: path)
    let rowsMended = report.mends.contains { [.links, .joinRows].contains($0.kind) }
    let own: Set = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
    for (table, rows) in before.rows where !own.contains(table) && !rowsMended {
      #expect(after.rows[table] == rows, "\(name): \(table)")
    }
    let left = Set(try migrator.diagnose(path).causes.map(\.code))
    #expect(left.subtracting([.externalFiles]) == [], "\(name)")
  }

  @Test func `keys that were assigned once aren't assigned again`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", in: folder)
    try damage(
      path, "UPDATE Z_PRIMARYKEY SET Z_MAX = 900 + Z_ENT WHERE Z_ENT < 16001",
      "UPDATE Z_PRIMARYKEY SET Z_ENT = 400 WHERE Z_ENT = 2",
      "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Nobody' WHERE Z_ENT = 3")
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let before = try connection.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT < 16001")
    _ = consume connection
    try repair(path, in: folder)
    let after = try rows(of: "Z_PRIMARYKEY", in: path)
    for row in before where row[0] != "Nobody" {
      let maximum = after.first { $0["Z_NAME"] == row[0] }?["Z_MAX"]?.int64 ?? 0
      #expect(maximum >= row[1].int64 ?? 0)
    }
    // Nobody knows whose keys these were.
    #expect(
      after.allSatisfy { ($0["Z_MAX"]?.int64 ?? 0) >= 903 || ($0["Z_ENT"]?.int64 ?? 0) > 16_000 })
  }

  @Test func `Core Data's own tables keep what they have without a column`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", in: folder)
    try damage(
      path, "UPDATE Z_PRIMARYKEY SET Z_MAX = 9000 WHERE Z_ENT < 16001",
      "ALTER TABLE Z_PRIMARYKEY DROP COLUMN Z_SUPER", "ALTER TABLE Z_METADATA DROP COLUMN Z_UUID")
    let before = try rows(of: "Z_METADATA", in: path).first?["Z_PLIST"]
    let report = try repair(path, in: folder)
    #expect(report.notes.count == 1 && report.losses.isEmpty)
    #expect(try rows(of: "Z_METADATA", in: path).first?["Z_PLIST"] == before)
    let after = try rows(of: "Z_PRIMARYKEY", in: path)
    #expect(
      after.allSatisfy { ($0["Z_MAX"]?.int64 ?? 0) >= 9_000 || ($0["Z_ENT"]?.int64 ?? 0) > 16_000 })
  }

  @Test func `rows keep their entities when Z_PRIMARYKEY numbers them otherwise`() throws {
    let zoo = try Zoo()
    func entities() throws -> [String: Int64] {
      let connection = try Connection(path: zoo.path, mode: .readOnlyUnshared)
      let rows = try connection.rows(
        """
        SELECT Z_NAME, count(*) FROM ZANIMAL JOIN Z_PRIMARYKEY USING (Z_ENT) GROUP BY Z_NAME
        """)
      return Dictionary(
        rows.map { ($0[0].string ?? "", $0[1].int64 ?? 0) }, uniquingKeysWith: { $1 })
    }
    let before = try entities()
    #expect(before.count > 1)
    let connection = try Connection(path: zoo.path, mode: .readOnlyUnshared)
    let numbers = try connection.rows(
      "SELECT DISTINCT Z_ENT FROM ZANIMAL ORDER BY Z_ENT"
    ).compactMap { $0[0].int64 }
    _ = consume connection
    let (first, second) = (numbers[0], numbers[1])
    let swap = "CASE Z_ENT WHEN \(first) THEN \(second) WHEN \(second) THEN \(first) ELSE Z_ENT END"
    try zoo.damage(
      "CREATE TEMP TABLE names AS SELECT * FROM Z_PRIMARYKEY",
      "DELETE FROM Z_PRIMARYKEY",
      "INSERT INTO Z_PRIMARYKEY SELECT \(swap), Z_NAME, Z_SUPER, Z_MAX FROM names",
      "UPDATE ZANIMAL SET Z_ENT = \(swap)")
    #expect(try entities() == before)
    try repair(zoo.path, zoo.options(), in: zoo.folder)
    #expect(try entities() == before)
  }

  @Test func `a damaged log isn't in order`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", in: folder)
    let copy = folder.path("copy.store")
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(
      "PRAGMA wal_autocheckpoint = 0; UPDATE ZSDOUTBOXEVENT SET ZSTATUS = 'zzz'")
    try Data(bytes(of: path)).write(to: URL(filePath: copy))
    var log = try bytes(of: path + "-wal")
    log[log.count / 2] ^= 1
    try Data(log).write(to: URL(filePath: copy + "-wal"))
    _ = consume connection
    for isDryRun in [true, false] {
      let report = try migrator.repair(copy, dryRun: isDryRun)
      #expect(!report.isWhole && report.left.map(\.code) == [.unusableLog])
    }
  }

  @Test func `two values for one attribute, and one that is taken, are refused`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", in: folder)
    let taken = try #require(
      try rows(of: "ZSDMOODENTRY", in: path).compactMap { $0["ZID"]?.bytes }.first)
    try damage(
      path, "UPDATE ZSDMOODENTRY SET ZID = NULL WHERE Z_PK = (SELECT max(Z_PK) FROM ZSDMOODENTRY)")
    func failure(_ texts: [String]) throws -> RepairError? {
      let fills = try texts.map { try #require(RepairOptions.Fill("SDMoodEntry.id=\($0)")) }
      return #expect(throws: RepairError.self) {
        try migrator.repair(path, RepairOptions(fills: fills), dryRun: true)
      }
    }
    let text = uuidText(taken)
    #expect(try failure([text]) == .takenValue(attribute: "SDMoodEntry.id"))
    let (one, other) = (UUID().uuidString, UUID().uuidString)
    #expect(try failure([one, other]) == .doubledAttribute("SDMoodEntry.id"))
  }
}
