import Foundation
import Platform
import Processes
import SQLite
import StoreMigration
import TestSupport
import Testing
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// A process that writes to a store while it is migrated loses nothing that it was told is written, and
/// writes nothing into the new store through the old file.
@Suite struct WriterTests {
  private let migrator: StoreMigrator
  private let request = MigrationRequest(userID: Scenario.owner)

  init() { migrator = StoreMigrator(catalog: Catalog.bundled) }

  /// A store with a table that no version has, and that apply carries.
  private func makeStore(_ mode: UseTests.Mode, in folder: TemporaryDirectory) throws -> String {
    let path = folder.path("default.store")
    let tool = try #require(Programs.tool)
    let words = ["fixture", "create", "lume", "V6", path, "--rows", "8"]
    try #require(try Programs.run([tool] + words).status == 0)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(
      "PRAGMA journal_mode = \(mode.rawValue); CREATE TABLE written (number INTEGER PRIMARY KEY)")
    return path
  }

  private func written(in store: String) throws -> Set<Int64> {
    let connection = try Connection(path: store, mode: .readOnlyUnshared)
    return Set(try connection.rows("SELECT number FROM written").compactMap { $0[0].int64 })
  }

  private func snapshot(of store: String) throws -> String {
    let found = try migrator.snapshots(of: store, checks: true).snapshots
    #expect(found.map(\.problem) == [nil])
    return try #require(found.last).path + "/default.store"
  }

  @Test(arguments: UseTests.Mode.allCases)
  func `nothing is lost of what is written without pause`(mode: UseTests.Mode) throws {
    let (folder, notes) = (try TemporaryDirectory(), try TemporaryDirectory())
    let path = try makeStore(mode, in: folder)
    // Each write is a process of its own, and is noted when it has succeeded.
    let script = """
      i=0; while [ ! -e "$2/stop" ]; do i=$((i+1))
      sqlite3 -bail "$1" "INSERT INTO written VALUES ($i)" && echo $i >> "$2/log"; done; echo ready
      """
    let writer = try Neighbour(["sh", "-c", script, "sh", path, notes.path])
    func noted() throws -> Set<Int64> {
      guard try FileSystem.exists(notes.path("log")) else { return [] }
      let text = String(decoding: try FileSystem.read(notes.path("log")), as: UTF8.self)
      return Set(text.split(separator: "\n").compactMap { Int64($0) })
    }
    while try noted().count < 3 { pause(for: .milliseconds(5)) }
    _ = try migrator.apply(to: path, request, lockTimeout: .seconds(300))
    let atExchange = try noted().count
    while try noted().count < atExchange + 3 { pause(for: .milliseconds(5)) }
    try FileSystem.create(notes.path("stop"), [])
    writer.hear("ready")
    writer.finish()
    let (kept, found) = (try written(in: snapshot(of: path)), try written(in: path))
    #expect(try found.isSuperset(of: noted()))
    #expect(found.isSuperset(of: kept))
    #expect(found.count > kept.count)
    #expect(try migrator.verify(path).isPassed)
  }

  @Test(arguments: UseTests.Mode.allCases)
  func `who opens the old file while it is replaced writes nothing into it`(
    mode: UseTests.Mode
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(mode, in: folder)
    let script = """
      sqlite3 -bail -cmd '.timeout 60000' "$1" 'INSERT INTO written VALUES (1)'; echo $?; echo ready
      """
    var writer: Neighbour?
    _ = try migrator.apply(to: path, request, lockTimeout: .seconds(60)) { phase in
      guard phase == .writing else { return }
      let new = try? Neighbour(["sh", "-c", script, "sh", path])
      writer = new
      // It has the file open, and waits for the lock.
      while let new, !isOpen(path, byChildrenOf: new.processID) { pause(for: .milliseconds(2)) }
    }
    let answer = try #require(writer).hear("ready")
    #expect(answer != "0\nready\n")
    #expect(try written(in: snapshot(of: path)) == [])
    #expect(try written(in: path) == [])
    // The next time it opens the store it can.
    try #require(
      try Programs.run(["sqlite3", "-bail", path, "INSERT INTO written VALUES (2)"]).status == 0)
    #expect(try written(in: path) == [2])
    #expect(try written(in: snapshot(of: path)) == [])
  }

  /// Returns whether a process other than this one has the file open.
  private func isOpen(_ path: String, byChildrenOf process: Int32) -> Bool {
    guard let status = try? FileStatus(of: path) else { return false }
    return processes(thatHaveOpen: [status.identity]).contains { $0 != processID }
  }

  @Test(arguments: UseTests.Mode.allCases)
  func `a process that can't be seen can't write through the old file either`(
    mode: UseTests.Mode
  ) throws {
    guard let tool = Programs.tool, !Programs.alone.isEmpty else {
      print("skipped: no process can be hidden here")
      return
    }
    let folder = try TemporaryDirectory()
    let path = try makeStore(mode, in: folder)
    let writer = try Neighbour.sqlite(path)
    // The file is open, nothing of it is read.
    writer.say("SELECT 1;")
    // Another process table: the writer isn't in it.
    let ending = try Programs.run(
      Programs.alone + [tool, "apply", path, "--user-id", Scenario.owner])
    #expect(ending.status == 0, "\(ending.message)")
    writer.say("INSERT INTO written VALUES (1);")
    #expect(writer.say("SELECT 'sees ' || count(*) FROM written;").contains("sees 0"))
    writer.finish()
    #expect(try written(in: path) == [])
    #expect(try written(in: snapshot(of: path)) == [])
    #expect(try migrator.verify(path).isPassed)
  }
}
