import Platform
import SQLite
import StoreFormat
import StoreModel
import Testing
import TestSupport

@testable import StoreExchange
@testable import StoreMigration
import Migrations
import OutboxConversion
import StoreProof

/// What is beside a store, or in its schema, and keeps `apply` from replacing it is known to its plan.
@Suite struct PlanPlacesTests {
  private func store(in folder: TemporaryDirectory) throws -> String {
    try makeStore("V6", rows: 10, in: folder)
  }

  /// Expects that plan and apply end with the same status, and that nothing changes.
  private func expect(
    _ status: StoreMigration.ExitStatus, _ code: String?, at path: String,
    in folder: TemporaryDirectory, _ request: MigrationRequest = HostilePlacesTests.request
  ) throws {
    let migrator = try bundledMigrator()
    let before = try fingerprint(of: folder)
    do throws(MigrationError) {
      let plan = try migrator.plan(for: path, request)
      #expect(plan.blockers.first?.exitStatus == status)
      #expect(plan.blockers.map(\.code) == [code])
    } catch {
      #expect(code == nil && error.exitStatus == status, "\(error)")
    }
    let error = #expect(throws: MigrationError.self) { try migrator.apply(to: path, request) }
    #expect(error?.exitStatus == status, "\(String(describing: error))")
    #expect(try fingerprint(of: folder) == before)
  }

  @Test(arguments: [
    "CREATE TABLE foo (xé)", "CREATE TABLE foé (x)", "CREATE INDEX foé ON foo (x)",
    "CREATE TABLE foo (x DEFAULT 'é')",
  ])
  func `a name or statement that isn't UTF-8 is refused`(statement: String) throws {
    let folder = try TemporaryDirectory()
    let path = try store(in: folder)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.set(.defensive, to: false)
      if statement.contains("INDEX") { try connection.execute("CREATE TABLE foo (x)") }
      try connection.execute(statement)
      try connection.execute("PRAGMA writable_schema = ON")
      for column in ["name", "tbl_name", "sql"] {
        try connection.execute(
          """
          UPDATE sqlite_schema
          SET \(column) = CAST(replace(CAST(\(column) AS BLOB), x'c3a9', x'ff') AS TEXT)
          WHERE instr(sql, 'é')
          """)
      }
    }
    try expect(.unknownStore, nil, at: path, in: folder)
    let error = #expect(throws: MigrationError.self) {
      try bundledMigrator().apply(to: path, HostilePlacesTests.request)
    }
    #expect(error?.description.contains("isn't UTF-8") == true)
  }

  @Test func `a link in the place of parked values is a blocker`() throws {
    let folder = try TemporaryDirectory()
    let path = try store(in: folder)
    try FileSystem.symbolicLink(
      path + ".parked-V7-V6-20260101T000000Z.jsonl", to: "/dev/null")
    try expect(.ioError, "unreadable", at: path, in: folder)
  }

  @Test func `a folder of snapshots that can't be filled isn't left behind`() throws {
    let folder = try TemporaryDirectory()
    let path = try store(in: folder)
    // The name of the snapshot's folder is too long.
    let name = String(repeating: "x", count: 250)
    #expect(throws: SystemError.self) {
      try SnapshotFolder.create(for: StoreFiles(path: path), from: name, to: "V7")
    }
    #expect(try folder.names == ["default.store"])
  }

  @Test func `too few free inodes are refused, and none are asked for where none are counted`()
    throws
  {
    let folder = try TemporaryDirectory()
    let path = try store(in: folder)
    let files = StoreFiles(path: path)
    let needed = try files.neededFiles
    for free in [0, needed - 1] {
      let error = #expect(throws: ExchangeError.self) {
        try files.checkFreeFiles(free, typed: path)
      }
      #expect(error == .noFreeFiles(path, needed: needed, free: free))
    }
    for free in [nil, needed] { try files.checkFreeFiles(free, typed: path) }
    let error = MigrationError(.exchange(.noFreeFiles(path, needed: needed, free: 0)))
    #expect(PlanBlocker(error).code == "disk-space" && error.exitStatus == .cannotCreate)
  }

  @Test func `as many inodes suffice as are asked for`() throws {
    let folder = try TemporaryDirectory()
    let path = try store(in: folder)
    let files = StoreFiles(path: path)
    let count = try count(folder)
    let needed = try files.neededFiles
    var most = 0
    _ = try bundledMigrator().apply(
      to: path,
      MigrationRequest(userID: HostilePlacesTests.request.userID, rows: .deliverable)
    ) { _ in most = max(most, (try? self.count(folder)) ?? .max) }
    most = max(most, try self.count(folder))
    #expect(most - count < needed)
  }

  private func count(_ folder: TemporaryDirectory) throws -> Int {
    func count(_ path: String) throws -> Int {
      try FileSystem.list(path).reduce(0) { sum, name in
        let inner = "\(path)/\(name)"
        let isFolder = try FileStatus(of: inner, followingLinks: false).kind == .directory
        return try sum + 1 + (isFolder ? count(inner) : 0)
      }
    }
    return try count(folder.path)
  }

  @Test(arguments: ["", " ", "a\nb"], ["V6", "V7"])
  func `an owner that can't be one is refused, even if there is nothing to do`(
    owner: String, target: String
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try store(in: folder)
    try expect(.misuse, nil, at: path, in: folder, MigrationRequest(target: target, userID: owner))
  }

  @Test(arguments: [0xff, 0xd9, 0x00] as [UInt8])
  func `a file that is no journal keeps nobody from reading`(first: UInt8) throws {
    let folder = try TemporaryDirectory()
    let path = try store(in: folder)
    let journal = [first] + [UInt8](repeating: 0x5a, count: 3_000)
    try FileSystem.create(path + "-journal", journal)
    let migrator = try bundledMigrator()
    let before = try fingerprint(of: folder)
    let plan = try migrator.plan(for: path, HostilePlacesTests.request)
    #expect(plan.blockers == [])
    #expect(try migrator.verify(path).isPassed)
    #expect(try fingerprint(of: folder) == before)
    let report = try migrator.apply(to: path, HostilePlacesTests.request)
    #expect(report.rowsWritten == plan.rowsWritten && report.notes == [])
  }

  @Test(arguments: [true, false])
  func `a model cache that isn't the schema's is refused`(isOther: Bool) throws {
    let folder = try TemporaryDirectory()
    let path = try store(in: folder)
    let target = try #require(Catalog.bundled.version("V7", of: "Lume"))
    let other = try #require(Catalog.bundled.version("V5", of: "Lume"))
    let schema = SchemaFile(
      app: "Lume", version: "V7", model: target.model,
      capture: SchemaCapture(modelCache: isOther ? try other.modelCache() : [1, 2, 3]))
    try expect(
      .badFile, nil, at: path, in: folder,
      MigrationRequest(schema: schema, userID: HostilePlacesTests.request.userID))
  }

  @Test func `a failed exchange leaves the log beside the store as it was`() throws {
    let folder = try TemporaryDirectory()
    let path = try store(in: folder)
    try FileSystem.create(path + "-wal", [], mode: 0o640)
    let before = (try FileSystem.read(path), try FileStatus(of: path + "-wal").identity)
    let migrator = try bundledMigrator()
    #expect(throws: MigrationError.self) {
      try migrator.apply(to: path, HostilePlacesTests.request) { phase in
        guard phase == .exchanging,
          let kept = try? SnapshotFolder.all(of: StoreFiles(path: path))[0]
        else { return }
        // The old store's name in the snapshot is taken, which shows after the log is folded in.
        try? FileSystem.create(kept.mainFile.path, [])
      }
    }
    #expect(try folder.names == ["default.store", "default.store-wal"])
    #expect(try FileSystem.read(path) == before.0)
    #expect(try FileStatus(of: path + "-wal").identity == before.1)
    #expect(try migrator.status(of: path).warnings == [])
  }

  @Test(arguments: [[], [1]] as [[UInt8]])
  func `a killed run's log is put back, unless it has bytes`(log: [UInt8]) throws {
    let folder = try TemporaryDirectory()
    let path = try store(in: folder)
    let left = try SnapshotFolder.create(for: StoreFiles(path: path), from: "V6", to: "V7")
    let before = try FileSystem.read(path)
    try FileSystem.create(left.file(.header).path, before.prefix(100) + [])
    try FileSystem.create(left.file(.emptyLog).path, log)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("PRAGMA journal_mode = DELETE")
    }
    #expect(throws: MigrationError.self) { try bundledMigrator().rollback(path) }
    #expect(try FileSystem.read(path)[18] == 2)
    #expect(
      try folder.names
        == (log.isEmpty ? ["default.store", "default.store-wal"] : ["default.store"]))
  }
}
