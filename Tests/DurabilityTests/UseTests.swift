import Foundation
import Platform
import SQLite
import StoreMigration
import TestSupport
import Testing
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// The tool refuses a store that another process has open, or waits for that process.
@Suite struct UseTests {
  enum Mode: String, CaseIterable {
    case log = "WAL"
    case journal = "DELETE"
  }

  enum Use: String, CaseIterable {
    case idle = "SELECT count(*) FROM ZSDGOAL;"
    case reading = "BEGIN; SELECT count(*) FROM ZSDGOAL;"
    case writing = "BEGIN IMMEDIATE; DELETE FROM ZSDGOAL;"
    case writingAlone = "BEGIN EXCLUSIVE; DELETE FROM ZSDGOAL;"
  }

  private let migrator: StoreMigrator
  private let request = MigrationRequest(userID: Scenario.owner)

  init() { migrator = StoreMigrator(catalog: Catalog.bundled) }

  private func makeStore(_ mode: Mode, in folder: TemporaryDirectory) throws -> String {
    let path = folder.path("default.store")
    let tool = try #require(Programs.tool)
    let words = ["fixture", "create", "lume", "V6", path, "--rows", "8"]
    try #require(try Programs.run([tool] + words).status == 0)
    try write("PRAGMA journal_mode = \(mode.rawValue)", to: path)
    return path
  }

  private func write(_ statements: String, to store: String) throws {
    let connection = try Connection(path: store, mode: .readWrite)
    try connection.execute(statements)
  }

  private func count(_ table: String, in store: String) throws -> Int64? {
    let connection = try Connection(path: store, mode: .readOnlyUnshared)
    return try connection.value("SELECT count(*) FROM \(table)")?.int64
  }

  @Test(arguments: Use.allCases)
  func `a snapshot's file that another process has open doesn't become the store`(use: Use) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(.log, in: folder)
    let hash = try sha256(ofFile: path)
    let snapshot = try #require(try migrator.apply(to: path, request).snapshot)
    let kept = snapshot + "/default.store"
    let file = try FileStatus(of: kept).identity
    let user = try Neighbour.sqlite(kept)
    user.say(use.rawValue)
    _ = try migrator.rollback(path)
    #expect(try FileStatus(of: path).identity != file)
    #expect(try sha256(ofFile: path) == hash)
    user.say("DELETE FROM ZSDGOAL; COMMIT;")
    #expect(try sha256(ofFile: path) == hash)
    user.finish()
  }

  @Test(arguments: Mode.allCases, Use.allCases)
  func `a store in use is refused, and the process named`(mode: Mode, use: Use) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(mode, in: folder)
    _ = try migrator.apply(to: path, request)
    try write("PRAGMA journal_mode = \(mode.rawValue)", to: path)
    let other = try TemporaryDirectory()
    let old = try makeStore(mode, in: other)
    let runs: [(String, (String) throws -> Void)] = [
      (old, { _ = try migrator.apply(to: $0, request) }),
      (path, { _ = try migrator.rollback($0, laterWrites: .discard) }),
      (path, { _ = try migrator.pruneSnapshots(of: $0, keeping: 0, force: true) }),
    ]
    for (store, run) in runs {
      let user = try Neighbour.sqlite(store)
      user.say(use.rawValue)
      let bytes = try FileSystem.read(store)
      let start = ContinuousClock.now
      let error = #expect(throws: MigrationError.self) { try run(store) }
      #expect(ContinuousClock.now - start >= .milliseconds(500))
      #expect(error?.exitStatus == .inUse)
      let name = "sqlite3 (process \(user.processID))"
      #expect(error?.description.contains(name) == true, "\(error?.description ?? "")")
      #expect(try FileSystem.read(store) == bytes)
      // The other process's transaction goes on.
      #expect(user.say("PRAGMA quick_check;").contains("ok\n"))
      user.finish()
    }
    #expect(try migrator.status(of: old).remains == [])
    #expect(try migrator.snapshots(of: path, checks: true).snapshots.map(\.problem) == [nil])
  }

  @Test(arguments: Mode.allCases, Use.allCases)
  func `apply waits for a process that closes the store in time`(mode: Mode, use: Use) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(mode, in: folder)
    let rows = try count("ZSDGOAL", in: path)
    let user = try Neighbour.sqlite(path)
    user.say(use.rawValue)
    user.tell(".shell sleep 0.7\n\(use == .idle ? "" : "COMMIT;")\n.quit")
    let report = try migrator.apply(to: path, request, lockTimeout: .seconds(120))
    user.finish()
    #expect(report.to == "V7")
    let isWritten = use == .writing || use == .writingAlone
    // The new store contains its last commit.
    #expect(try count("ZSDGOAL", in: path) == (isWritten ? 0 : rows))
    #expect(report.notes == [])
  }

  @Test func `a journal is rolled back only if its writer has ended`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(.journal, in: folder)
    let rows = try count("ZSDGOAL", in: path)
    let user = try Neighbour.sqlite(path)
    // With a cache of one page, SQLite writes half of the transaction to the file.
    user.say(
      """
      PRAGMA cache_size = 1; BEGIN; UPDATE ZSDOUTBOXEVENT SET ZERRORMESSAGE = hex(zeroblob(9000)); \
      DELETE FROM ZSDGOAL;
      """)
    #expect(try FileSystem.exists(path + "-journal"))
    let error = #expect(throws: MigrationError.self) { try migrator.apply(to: path, request) }
    #expect(error?.exitStatus == .inUse)
    user.crash()
    #expect(try FileSystem.exists(path + "-journal"))
    let report = try migrator.apply(to: path, request)
    #expect(
      report.notes == ["an interrupted write to the store was rolled back from its journal"])
    #expect(try count("ZSDGOAL", in: path) == rows)
    #expect(try folder.names == ["default.store", "default.store.snapshots"])
    #expect(try migrator.verify(path).isPassed)
  }

  @Test func `a crashed writer's log is part of the store, and its index isn't missed`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(.log, in: folder)
    let user = try Neighbour.sqlite(path)
    user.say("DELETE FROM ZSDGOAL;")
    user.say("BEGIN; DELETE FROM ZSDMOODENTRY;")
    user.crash()
    #expect(try FileSystem.exists(path + "-wal") && FileSystem.exists(path + "-shm"))
    let moods = try count("ZSDMOODENTRY", in: path)
    #expect(moods ?? 0 > 0)
    _ = try migrator.apply(to: path, request)
    #expect(try count("ZSDGOAL", in: path) == 0)
    #expect(try count("ZSDMOODENTRY", in: path) == moods)
    #expect(try folder.names == ["default.store", "default.store.snapshots"])
  }

  @Test func `unused shared memory is no reason to refuse a store`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(.log, in: folder)
    try FileSystem.create(path + "-shm", [UInt8](repeating: 0xa5, count: 32_768))
    _ = try migrator.apply(to: path, request)
    #expect(try folder.names == ["default.store", "default.store.snapshots"])
    #expect(try migrator.verify(path).isPassed)
  }
}
