import Foundation
import Migrations
import Platform
import SQLite
import StoreDiagnosis
import StoreMigration
import TestSupport
import Testing

@testable import StoreRepair

/// Damage that SQLite's check of one table doesn't show, or that only changes which rows it reads.
@Suite struct LostPageTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let outbox = "ZSDOUTBOXEVENT"

  init() throws {
    folder = try TemporaryDirectory()
    path = try makeStore("V6", rows: 400, in: folder)
  }

  /// A store's file, whose pages are changed one by one.
  private struct Pages {
    let path: String
    let size: Int
    var bytes: [UInt8]

    init(of path: String) throws {
      let connection = try Connection(path: path, mode: .readOnlyUnshared)
      size = Int(try connection.value("PRAGMA page_size")?.int64 ?? 0)
      self.path = path
      bytes = try StoreRepairTests.bytes(of: path)
    }

    func number(_ count: Int, on page: Int, at place: Int) -> Int {
      let start = (page - 1) * size + place
      return bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func set(_ number: Int, _ count: Int, on page: Int, at place: Int) {
      for offset in 0..<count {
        bytes[(page - 1) * size + place + offset] =
          UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - offset)))
      }
    }

    mutating func clear(_ page: Int) {
      bytes.replaceSubrange((page - 1) * size..<page * size, with: repeatElement(0, count: size))
    }

    func write() throws { try Data(bytes).write(to: URL(filePath: path)) }
  }

  private func root(of name: String) throws -> Int {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let root = try connection.value(
      "SELECT rootpage FROM sqlite_schema WHERE name = ?1", [.text(name)])
    return Int(try #require(root?.int64))
  }

  private func leaves(of table: String) throws -> [Int] {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    return try connection.rows(
      "SELECT pageno FROM dbstat WHERE name = ?1 AND pagetype = 'leaf' ORDER BY path",
      [.text(table)]
    ).compactMap { $0[0].int64.map { Int($0) } }
  }

  /// Folds the log in; pointer maps need a mode that must be chosen before.
  private func settle(withPointerMaps: Bool, _ statements: String...) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA journal_mode = DELETE; PRAGMA secure_delete = OFF")
    for statement in statements { try connection.execute(statement) }
    if !withPointerMaps { try connection.execute("PRAGMA auto_vacuum = 0; VACUUM") }
  }

  @Test func `a row is saved if the pointer to its cell leads beyond the page`() throws {
    try settle(withPointerMaps: true)
    let before = try StoreContent(of: path)
    var pages = try Pages(of: path)
    let leaf = try #require(try leaves(of: outbox).first)
    let pointer = pages.number(2, on: leaf, at: 10)
    pages.set(pointer | 0x8000, 2, on: leaf, at: 10)
    try pages.write()
    let evidence = try StoreMigrator(catalog: .bundled).diagnose(path).causes.first?.evidence ?? []
    #expect(
      evidence.contains { $0.contains("400 rows can be read; pages of the table or its indexes") })
    let report = try repairedAgain(path)
    // No index says that all rows are there.
    #expect(report.losses.allSatisfy { $0.count == nil })
    #expect(try StoreContent(of: path).rows == before.rows)
  }

  @Test(arguments: [true, false])
  func `a leaf whose parent forgot it is found again`(withPointerMaps: Bool) throws {
    try settle(withPointerMaps: withPointerMaps)
    let before = try StoreContent(of: path)
    var pages = try Pages(of: path)
    let top = try root(of: outbox)
    // The last cell of an interior page becomes its right-most pointer, as in an older page.
    let count = pages.number(2, on: top, at: 3)
    let cell = pages.number(2, on: top, at: 12 + 2 * (count - 1))
    pages.set(pages.number(4, on: top, at: cell), 4, on: top, at: 8)
    pages.set(count - 1, 2, on: top, at: 3)
    try pages.write()
    let report = try repairedAgain(path)
    #expect(try StoreContent(of: path).rows[outbox] == before.rows[outbox])
    #expect(report.notes.isEmpty == withPointerMaps)
  }

  @Test(arguments: [true, false])
  func `a leaf that two tables lead to goes to the one whose rows it has`(
    withPointerMaps: Bool
  ) throws {
    try settle(withPointerMaps: withPointerMaps)
    let before = try StoreContent(of: path)
    var pages = try Pages(of: path)
    let top = try root(of: outbox)
    let mood = try #require(try leaves(of: "ZSDMOODENTRY").first)
    pages.set(mood, 4, on: top, at: pages.number(2, on: top, at: 12))
    try pages.write()
    _ = try repairedAgain(path)
    let after = try StoreContent(of: path)
    #expect(after.rows[outbox] == before.rows[outbox])
    #expect(after.rows["ZSDMOODENTRY"] == before.rows["ZSDMOODENTRY"])
  }

  @Test(arguments: [true, false])
  func `the history's rows below an entity's table stay the history's`(
    withPointerMaps: Bool
  ) throws {
    try settle(
      withPointerMaps: withPointerMaps,
      """
      WITH RECURSIVE keys (key) AS (SELECT 10000 UNION ALL SELECT key + 1 FROM keys LIMIT 3000)
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
      SELECT key, 16001, 1, 1, (SELECT ZENTITY FROM ACHANGE LIMIT 1), key,
        (SELECT ZTRANSACTIONID FROM ACHANGE LIMIT 1) FROM keys
      """, "UPDATE Z_PRIMARYKEY SET Z_MAX = 13000 WHERE Z_ENT = 16001")
    let before = try StoreContent(of: path)
    var pages = try Pages(of: path)
    let (page, top) = (try #require(try leaves(of: "ZSDMOODENTRY").last), try root(of: "ACHANGE"))
    let copy = pages.bytes[(top - 1) * pages.size..<top * pages.size]
    pages.bytes.replaceSubrange((page - 1) * pages.size..<page * pages.size, with: copy)
    try pages.write()
    let report = try repairedAgain(path)
    #expect(report.losses.contains { $0.name == "SDMoodEntry" })
    let after = try StoreContent(of: path)
    #expect(after.rows["ACHANGE"] == before.rows["ACHANGE"])
    #expect(after.rows["ZSDMOODENTRY"]?.count ?? 0 > 0)
  }

  @Test func `a table whose root is lost is put together from its leaves`() throws {
    try settle(withPointerMaps: false)
    let before = try StoreContent(of: path)
    var pages = try Pages(of: path)
    pages.clear(try root(of: outbox))
    try pages.write()
    let report = try repairedAgain(path)
    #expect(try StoreContent(of: path).rows[outbox] == before.rows[outbox])
    #expect(!report.losses.isEmpty)
  }

  @Test func `a leaf with fewer cells than rows makes a loss possible`() throws {
    try settle(withPointerMaps: true)
    var pages = try Pages(of: path)
    let leaf = try leaves(of: outbox)[5]
    pages.set(pages.number(2, on: leaf, at: 3) - 1, 2, on: leaf, at: 3)
    try pages.write()
    let report = try repairedAgain(path)
    #expect(report.losses.map(\.name) == ["SDOutboxEvent"])
    #expect(report.losses.first?.count == nil)
  }

  @Test func `damage of nothing but an index loses no row`() throws {
    try settle(withPointerMaps: true)
    let before = try StoreContent(of: path)
    var pages = try Pages(of: path)
    pages.clear(try root(of: "Z_SDMoodEntry_UNIQUE_id"))
    try pages.write()
    let report = try repairedAgain(path)
    #expect(report.losses.isEmpty, "\(report.losses)")
    #expect(try StoreContent(of: path).rows["ZSDMOODENTRY"] == before.rows["ZSDMOODENTRY"])
  }

  @Test func `rows that share the page of a long value are named`() throws {
    try settle(
      withPointerMaps: true,
      "UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = CAST(printf('%.9000c', 'A') AS BLOB) WHERE Z_PK = 1",
      "UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = CAST(printf('%.9000c', 'B') AS BLOB) WHERE Z_PK = 2")
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let overflow = try connection.rows(
      "SELECT pageno, path FROM dbstat WHERE name = ?1 AND path LIKE '%+000000'", [.text(outbox)]
    )
    .compactMap { $0[0].int64.map { Int($0) } }
    _ = consume connection
    var pages = try Pages(of: path)
    let letters = Dictionary(
      overflow.map { (pages.number(1, on: $0, at: 4), $0) }, uniquingKeysWith: { first, _ in first }
    )
    let first = try #require(letters[Int(UInt8(ascii: "A"))])
    let second = try #require(letters[Int(UInt8(ascii: "B"))])
    let marker = [UInt8](repeating: UInt8(ascii: "A"), count: 20)
    let pointer = marker + (0..<4).map { UInt8(truncatingIfNeeded: first >> (24 - 8 * $0)) }
    let place = try #require(
      pages.bytes.indices.first { pages.bytes[$0...].starts(with: pointer) })
    pages.set(second, 4, on: 1, at: place + 20)
    try pages.write()
    let report = try repairedAgain(path)
    let keys = report.losses.compactMap { $0.count == nil ? nil : $0.keys }
    #expect(keys == [[1, 2]], "\(report.losses)")
  }

  @Test func `counters of keys, and numbers of rows beside a column 'rowid', stay`() throws {
    try settle(
      withPointerMaps: true, "CREATE TABLE logs (id INTEGER PRIMARY KEY AUTOINCREMENT, t)",
      "INSERT INTO logs (t) VALUES (1), (2), (3)", "DELETE FROM logs WHERE id = 3",
      "CREATE TABLE notes (rowid TEXT, a)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO notes SELECT 'note ' || i, printf('%300d', i) FROM n
      """)
    var pages = try Pages(of: path)
    pages.clear(try leaves(of: "notes")[2])
    try pages.write()
    _ = try repairedAgain(path)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    #expect(try connection.value("SELECT seq FROM sqlite_sequence")?.int64 == 3)
    let wrong = "SELECT count(*) FROM notes WHERE \"rowid\" IS NOT 'note ' || _rowid_"
    #expect(try connection.value(wrong)?.int64 == 0)
  }
}
