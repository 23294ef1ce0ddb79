import Foundation
import Migrations
import Platform
import Processes
import SQLite
import StoreDiagnosis
import StoreFormat
import StoreMigration
import StoreModel
import TestSupport
import Testing

@testable import StoreRepair

/// Rows of damaged tables are saved, and what isn't is named.
@Suite struct DamagedTableTests {
  private let migrator = StoreMigrator(catalog: .bundled)

  private static let own: Set = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]

  private func write(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  private func fill(_ bytes: inout [UInt8], page: Int, size: Int, with byte: UInt8 = 0) {
    bytes.replaceSubrange(
      (page - 1) * size..<page * size, with: repeatElement(byte, count: size))
  }

  /// Writes a damaged store, repairs it, and expects that `diagnose` finds what is left.
  private func repaired(_ path: String, _ damaged: [UInt8]) throws -> RepairReport {
    try write(damaged, path)
    let done = try repairedAgain(path)
    let left = try migrator.diagnose(path).causes.map(\.code)
    #expect(left == done.left.map(\.code) && !left.contains(.damagedTable))
    return done
  }

  /// Expects that rows are as they were, but for links to rows that were lost.
  private func expect(
    _ keys: [Int64], of table: String, _ before: StoreContent, _ after: StoreContent,
    _ report: RepairReport, _ seed: UInt64
  ) {
    let losesLinks = report.mends.contains { $0.kind == .links }
    let losesRows = report.mends.contains { $0.kind == .joinRows }
    for key in keys {
      guard let row = after.rows[table]?[key] else {
        if losesRows, table.hasPrefix("Z_") { continue }
        Issue.record("seed \(seed): \(table)/\(key) isn't saved")
        continue
      }
      for (column, value) in before.rows[table]?[key] ?? [:] where row[column] != value {
        // A value of another row can break a rule, and is mended.
        let isMended = losesLinks && row[column] == .null
        #expect(isMended || column == "Z_ENT", "seed \(seed): \(table)/\(key) \(column)")
      }
    }
  }

  private func overwrite(
    _ file: inout [UInt8], _ intact: IntactRows, _ random: inout SeededGenerator
  ) {
    let pages = intact.leaves.map(\.page) + intact.interior
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard let page = pages.randomElement(using: &random), page > 1 else { continue }
      let sizes = [4, 40, 400, intact.pageSize]
      let count = sizes.randomElement(using: &random) ?? 4
      let start =
        (page - 1) * intact.pageSize
        + Int.random(in: 0...intact.pageSize - count, using: &random)
      let isZero = Bool.random(using: &random)
      for place in start..<start + count {
        file[place] = isZero ? 0 : UInt8.random(in: .min ... .max, using: &random)
      }
    }
  }

  @Test func `every row of which no byte is overwritten is saved`() throws {
    let seed = printedSeed(below: 1 << 32)
    var random = SeededGenerator(seed: seed)
    let versions = [("Lume", "V6"), ("Lume", "V7"), ("FitIQ", "V11")]
    for round in 0..<10 {
      let folder = try TemporaryDirectory()
      let (app, version) = versions[round % versions.count]
      let path = try makeStore(
        version, of: app, rows: round % 2 == 0 ? 60 : 250, seed: seed &+ UInt64(round), in: folder)
      try damage(path)
      let before = try StoreContent(of: path)
      let intact = try IntactRows(of: path)
      var damaged = try bytes(of: path)
      overwrite(&damaged, intact, &random)
      let report = try repaired(path, damaged)
      let after = try StoreContent(of: path)
      for table in before.rows.keys where !Self.own.contains(table) {
        expect(intact.keys(of: table, in: damaged), of: table, before, after, report, seed)
      }
      try compareWithShell(damaged, before, after, report, seed, in: folder)
    }
  }

  /// Expects that no row of the original is missing that the shell's `.recover` saves.
  ///
  /// `OUTBOX_MIGRATE_SQLITE3` is the shell. Debian's has no `.recover`: it lacks `sqlite_dbpage`.
  private func compareWithShell(
    _ damaged: [UInt8], _ before: StoreContent, _ after: StoreContent, _ report: RepairReport,
    _ seed: UInt64, in folder: TemporaryDirectory
  ) throws {
    let shell = environment("OUTBOX_MIGRATE_SQLITE3") ?? "/usr/bin/sqlite3"
    let (input, output) = (folder.path("damaged.db"), folder.path("recovered.db"))
    try write(damaged, input)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", "\"$1\" \"$2\" '.recover --ignore-freelist' 2>&1 | \"$1\" \"$3\" 2>/dev/null", "sh",
      shell, input,
      output,
    ]
    try process.run()
    process.waitUntilExit()
    guard let recovered = try? StoreContent(of: output), !recovered.rows.isEmpty else {
      print("skipped: '\(shell)' has no '.recover'; set OUTBOX_MIGRATE_SQLITE3")
      return
    }
    for (table, rows) in recovered.rows where before.rows[table] != nil && !Self.own.contains(table)
    {
      let keys = rows.filter { before.rows[table]?[$0.key] == $0.value }.map(\.key)
      expect(keys, of: table, before, after, report, seed)
    }
  }

  @Test func `a lost leaf is counted and named by key, and the rest is saved`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", rows: 300, in: folder)
    try damage(path)
    let before = try StoreContent(of: path)
    let intact = try IntactRows(of: path)
    let leaves = intact.leaves.filter { $0.table == "ZSDMOODENTRY" }
    try #require(leaves.count > 3)
    var damaged = try bytes(of: path)
    let lost = intact.keys(on: leaves[1].page).sorted()
    fill(&damaged, page: leaves[1].page, size: intact.pageSize)
    let report = try repaired(path, damaged)
    let loss = try #require(report.losses.first)
    #expect(loss.name == "SDMoodEntry" && loss.count == Int64(lost.count))
    #expect(loss.keys == Array(lost.prefix(10)) && report.losses.count == 1)
    let account = try #require(report.ledger.first { $0.table == "ZSDMOODENTRY" })
    #expect(
      account.lost == Int64(lost.count)
        && account.rows == before.rows["ZSDMOODENTRY"].map { Int64($0.count) })
    #expect(account.unchanged == account.rows - account.lost)
    let after = try StoreContent(of: path)
    for (table, rows) in before.rows where table != "ZSDMOODENTRY" && !Self.own.contains(table) {
      #expect(after.rows[table] == rows, "\(table)")
    }
    #expect(after.indexes == before.indexes && report.left == [])
  }

  @Test func `a lost page above the leaves costs no row`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", rows: 400, in: folder)
    try damage(path)
    let before = try StoreContent(of: path)
    let intact = try IntactRows(of: path)
    try #require(!intact.interior.isEmpty)
    for page in intact.interior {
      var damaged = try bytes(of: path)
      let original = damaged
      fill(&damaged, page: page, size: intact.pageSize, with: 0xEE)
      let report = try repaired(path, damaged)
      // No index of a table without indexes can say that no row is lost.
      #expect(report.losses.filter { $0.count != nil } == [] && report.isWhole)
      let after = try StoreContent(of: path)
      for (table, rows) in before.rows {
        #expect(after.rows[table] == rows, "\(table), page \(page)")
      }
      try FileManager.default.removeItem(atPath: path + ".snapshots")
      try write(original, path)
    }
  }

  @Test func `a lost page of a large value costs that value, and it is named`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", rows: 30, in: folder)
    try damage(path, "UPDATE ZSDMOODENTRY SET ZNOTES = hex(randomblob(9000)) WHERE Z_PK = 2")
    let before = try StoreContent(of: path)
    let page = try Connection(path: path, mode: .readOnlyUnshared).value(
      "SELECT max(pageno) FROM dbstat WHERE name = 'ZSDMOODENTRY' AND pagetype = 'overflow'")?.int64
    var damaged = try bytes(of: path)
    // The first page of the chain leads to the others.
    let size = 4_096
    let first = try Connection(path: path, mode: .readOnlyUnshared).value(
      "SELECT pageno FROM dbstat WHERE name = 'ZSDMOODENTRY' AND path LIKE '%+000000'")?.int64
    fill(&damaged, page: Int(first ?? page ?? 0), size: size)
    let report = try repaired(path, damaged)
    #expect(
      report.losses.contains { $0.name == "SDMoodEntry.notes" && $0.count == 1 && $0.keys == [2] })
    let after = try StoreContent(of: path)
    for (key, row) in before.rows["ZSDMOODENTRY"] ?? [:] where key != 2 {
      #expect(after.rows["ZSDMOODENTRY"]?[key] == row)
    }
    #expect(
      after.rows["ZSDMOODENTRY"]?[2]?["ZVALENCE"] == before.rows["ZSDMOODENTRY"]?[2]?["ZVALENCE"])
  }

  @Test func `damaged metadata is written as the version has it`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", in: folder)
    try damage(path)
    let before = try StoreContent(of: path)
    let intact = try IntactRows(of: path)
    for table in Self.own {
      let original = try bytes(of: path)
      var damaged = original
      for leaf in intact.leaves where leaf.table == table {
        fill(&damaged, page: leaf.page, size: intact.pageSize)
      }
      let report = try repaired(path, damaged)
      #expect(report.version == "V7" && report.isWhole, "\(table)")
      let after = try StoreContent(of: path)
      for (table, rows) in before.rows where !Self.own.contains(table) {
        #expect(after.rows[table] == rows)
      }
      try FileManager.default.removeItem(atPath: path + ".snapshots")
      try write(original, path)
    }
  }

  @Test func `deleted rows don't come back where the list of free pages is damaged`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", rows: 900, in: folder)
    // Without pointer maps, nothing but the list says that a page is free.
    try damage(
      path, "PRAGMA auto_vacuum = 0", "VACUUM", "PRAGMA secure_delete = OFF",
      "DELETE FROM ZSDOUTBOXEVENT WHERE Z_PK > 300")
    let before = try StoreContent(of: path)
    let intact = try IntactRows(of: path)
    let table = try #require(before.rows["ZSDOUTBOXEVENT"])
    let interior = try Connection(path: path, mode: .readOnlyUnshared).value(
      """
      SELECT pageno FROM dbstat WHERE name = 'ZSDOUTBOXEVENT' AND pagetype = 'internal' LIMIT 1
      """)?.int64
    var damaged = try bytes(of: path)
    try #require(damaged[36..<40] != [0, 0, 0, 0])
    for place in 32..<36 { damaged[place] = 0 }
    // The last child of the table's root is lost, so leaves are looked for elsewhere.
    let start = (Int(try #require(interior)) - 1) * intact.pageSize
    for place in start + 8..<start + 12 { damaged[place] = 0 }
    let report = try repaired(path, damaged)
    let after = try #require(try StoreContent(of: path).rows["ZSDOUTBOXEVENT"])
    #expect(Set(after.keys).isSubset(of: table.keys))
    #expect(!report.losses.isEmpty || after.count == table.count)
  }

  @Test func `rows of another table on a damaged table's pages are left out`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", rows: 900, in: folder)
    try damage(path)
    let before = try StoreContent(of: path)
    let intact = try IntactRows(of: path)
    let interior = try Connection(path: path, mode: .readOnlyUnshared).value(
      """
      SELECT pageno FROM dbstat WHERE name = 'ZSDMOODENTRY' AND pagetype = 'internal' LIMIT 1
      """)?.int64
    let other = try #require(intact.leaves.last { $0.table == "ZSDOUTBOXEVENT" }).page
    var damaged = try bytes(of: path)
    let start = (Int(try #require(interior)) - 1) * intact.pageSize
    for (place, shift) in zip(start + 8..<start + 12, [24, 16, 8, 0]) {
      damaged[place] = UInt8(truncatingIfNeeded: other >> shift)
    }
    _ = try repaired(path, damaged)
    let after = try StoreContent(of: path)
    for (key, row) in after.rows["ZSDMOODENTRY"] ?? [:] {
      #expect(row == before.rows["ZSDMOODENTRY"]?[key], "\(key)")
    }
    for (key, row) in before.rows["ZSDOUTBOXEVENT"] ?? [:] {
      #expect(row == after.rows["ZSDOUTBOXEVENT"]?[key], "\(key)")
    }
  }

  @Test func `pages in the log count`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V7", rows: 200, in: folder)
    try damage(path)
    let intact = try IntactRows(of: path)
    let leaf = try #require(intact.leaves.first { $0.table == "ZSDOUTBOXEVENT" })
    var damaged = try bytes(of: path)
    fill(&damaged, page: leaf.page, size: intact.pageSize)
    try write(damaged, path)
    let writer = try Connection(path: path, mode: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    try writer.set(.noCheckpointOnClose, to: true)
    try writer.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.25")
    _ = consume writer
    try #require(try StoreFiles(path: path).hasLog)
    let planned = try migrator.repair(path, dryRun: true)
    let report = try migrator.repair(path)
    #expect(planned.mends == report.mends && planned.losses == report.losses)
    let values = try rows(of: "ZSDMOODENTRY", in: path).map { $0["ZVALENCE"] }
    #expect(values.allSatisfy { $0 == .real(0.25) } && !values.isEmpty)
    #expect(try migrator.diagnose(path).causes.map(\.code) == report.left.map(\.code))
  }

  @Test(arguments: sample(8, of: RealStores.folders.map(\.name)))
  func `rows of damaged real stores are saved`(name: String) throws {
    guard let original = RealStores.path(of: name) else { return }
    let folder = try TemporaryDirectory()
    let path = folder.path(FileSystem.name(of: original))
    for ending in ["", "-wal"] where try FileSystem.exists(original + ending) {
      try write(Array(FileSystem.read(original + ending)), path + ending)
    }
    try damage(path)
    guard (try? migrator.repair(path, dryRun: true)) != nil else { return }
    let before = try StoreContent(of: path)
    let intact = try IntactRows(of: path)
    let leaves = intact.leaves.filter {
      !Self.own.contains($0.table) && $0.table.hasPrefix("Z") && !intact.keys(on: $0.page).isEmpty
    }
    guard let leaf = leaves.last else { return }
    var damaged = try bytes(of: path)
    // Half of the leaf's cells are overwritten: those at its end.
    let end = leaf.page * intact.pageSize
    for place in end - 200..<end { damaged[place] = 0xEE }
    let report = try repaired(path, damaged)
    let after = try StoreContent(of: path)
    for table in before.rows.keys where !Self.own.contains(table) {
      expect(intact.keys(of: table, in: damaged), of: table, before, after, report, 0)
    }
  }
}
