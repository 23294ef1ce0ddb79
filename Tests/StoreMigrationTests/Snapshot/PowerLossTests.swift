import Platform
import SQLite
import StoreAccess
import StoreFormat
import TestSupport
import Testing

@testable import StoreExchange
@testable import StoreMigration
import Migrations
import OutboxConversion

/// States that a loss of power can leave, because it splits what a run did at once.
///
/// Each is made by hand. Commands that read work on it without changing a byte; the next command
/// that writes heals it.
@Suite struct PowerLossTests {
  static let request = MigrationRequest(userID: "6F9619FF-8B86-4D01-B42D-00CF4FC964FF")
  private let migrator: StoreMigrator
  private let folder: TemporaryDirectory
  private let path: String
  private var files: StoreFiles { StoreFiles(path: path) }

  init() throws {
    migrator = try bundledMigrator()
    folder = try TemporaryDirectory()
    path = try makeStore("V6", rows: 20, in: folder)
  }

  /// Writes to the log, and returns its index, which counts frames that aren't in the main file.
  private func writeToLog(_ statement: String = "UPDATE ZSDMOODENTRY SET ZVALENCE = 0.5") throws
    -> [UInt8]
  {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.set(.noCheckpointOnClose, to: true)
    try connection.execute(statement)
    return try FileSystem.read(path + "-shm")
  }

  /// Folds the log in as a run does, and removes both files.
  private func foldLogIn() throws {
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.walCheckpointTruncate()
    }
    for suffix in ["-wal", "-shm"] { try FileSystem.removeIfPresent(path + suffix) }
  }

  private func keepHeader(in left: SnapshotFolder) throws {
    try FileSystem.create(left.file(.header).path, try FileSystem.read(path).prefix(100) + [])
  }

  private func createFolder() throws -> SnapshotFolder {
    try SnapshotFolder.create(for: files, from: "V6", to: "V7")
  }

  private var leftovers: [String] { get throws { try migrator.status(of: path).remains } }

  private func applied() throws -> (snapshot: SnapshotFolder, receipt: Receipt) {
    _ = try migrator.apply(to: path, Self.request)
    let snapshot = try #require(try SnapshotFolder.all(of: files).last)
    return (snapshot, try #require(try snapshot.receipt()))
  }

  // MARK: - The log's index

  @Test func `an index without a log isn't proof if a killed run folded the log in`() throws {
    let index = try writeToLog()
    let left = try createFolder()
    try foldLogIn()
    let rows = try dump(path)
    try keepHeader(in: left)
    try FileSystem.create(path + "-shm", index)
    let before = try fingerprint(of: folder)
    #expect(
      try leftovers == ["an interrupted run left '\(left.name)'; the store is unchanged"])
    #expect(try migrator.verify(path).isPassed)
    #expect(try dump(path) == rows)
    #expect(try migrator.verify(path).warnings.map(\.code).contains("missing-log"))
    #expect(try fingerprint(of: folder) == before)
    let report = try migrator.apply(to: path, Self.request)
    #expect(report.notes.count == 1)
    _ = try migrator.rollback(path)
    #expect(try dump(path) == rows)
    #expect(try leftovers == [])
    #expect(try folder.names == ["default.store", "default.store.snapshots"])
  }

  @Test(arguments: ["another header", "more pages", "no header", "a link"])
  func `an index without a log says that rows are missing`(kind: String) throws {
    let index = try writeToLog(
      kind == "more pages"
        ? "CREATE TABLE z AS SELECT randomblob(90000) AS a"
        : "UPDATE ZSDMOODENTRY SET ZVALENCE = 0.5")
    let left = try createFolder()
    if kind != "more pages" { try foldLogIn() }
    switch kind {
    case "another header":
      var header = Array(try FileSystem.read(path).prefix(100))
      header[27] &+= 1
      try FileSystem.create(left.file(.header).path, header)
    case "a link":
      try keepHeader(in: left)
      try FileSystem.rename(left.file(.header).path, to: folder.path("header"))
      try FileSystem.symbolicLink(left.file(.header).path, to: folder.path("header"))
    case "more pages": try keepHeader(in: left)
    default: break
    }
    for suffix in ["-wal", "-shm"] { try FileSystem.removeIfPresent(path + suffix) }
    try FileSystem.create(path + "-shm", index)
    let before = try fingerprint(of: folder)
    for command in [
      { _ = try migrator.status(of: path) },
      { _ = try migrator.apply(to: path, Self.request) },
    ] as [() throws -> Void] {
      let error = #expect(throws: MigrationError.self) { try command() }
      #expect(error?.exitStatus == .unknownStore)
      #expect(
        error?.description.hasSuffix("or remove the index to use the store without those rows")
          == true)
    }
    #expect(try fingerprint(of: folder) == before)
    try FileSystem.remove(path + "-shm")
    #expect(try migrator.apply(to: path, Self.request).from == "V6")
  }

  // MARK: - Snapshots

  @Test func `an old store without its receipt is removed by name`() throws {
    let (snapshot, _) = try applied()
    try FileSystem.remove(snapshot.file(.receipt).path)
    let note =
      "it is unknown whether '\(snapshot.name)' is a snapshot of this store; it is left unchanged; "
      + "'snapshot prune --snapshot \(snapshot.name) --force' removes it"
    #expect(try leftovers == [note])
    let kept = try migrator.removeSnapshot(named: snapshot.name, of: path)
    #expect(kept.removed == [] && kept.notes == [note])
    #expect(
      kept.kept.map(\.problem) == ["it may hold the only copy of a store; '--force' removes it"])
    #expect(try FileSystem.exists(snapshot.mainFile.path))
    let look = try migrator.removeSnapshot(
      named: snapshot.name, of: path, force: true, dryRun: true)
    #expect(look.removed.map(\.name) == [snapshot.name])
    #expect(try FileSystem.exists(snapshot.mainFile.path))
    let report = try migrator.removeSnapshot(named: snapshot.name, of: path, force: true)
    #expect(report.removed.map(\.name) == [snapshot.name])
    #expect(try leftovers == [])
    #expect(try folder.names == ["default.store"])
    let error = #expect(throws: MigrationError.self) {
      try migrator.removeSnapshot(named: "../other", of: path, force: true)
    }
    #expect(error?.description.contains("there is no snapshot '../other'") == true)
  }

  @Test func `a snapshot that counts is removed by name, unless it is needed`() throws {
    let (first, _) = try applied()
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.5")
    }
    _ = try migrator.rollback(path, laterWrites: .discard)
    let last = try #require(try SnapshotFolder.all(of: files).last).name
    #expect(try migrator.removeSnapshot(named: last, of: path).spared == last)
    if try FileSystem.exists(first.path) {
      let report = try migrator.removeSnapshot(named: first.name, of: path)
      #expect(report.removed.map(\.name) == [first.name])
    }
    #expect(try SnapshotFolder.all(of: files).map(\.name) == [last])
    #expect(try migrator.removeSnapshot(named: last, of: path, force: true).removed.count == 1)
  }

  @Test(arguments: ["default.store", "default.store.new"])
  func `a torn copy of the old store is forgotten, and the header goes back`(name: String) throws {
    let old = try FileSystem.read(path)
    let left = try createFolder()
    try keepHeader(in: left)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("PRAGMA journal_mode = DELETE")
    }
    let settled = try FileSystem.read(path)
    try FileSystem.create("\(left.path)/\(name)", Array(settled.prefix(settled.count / 2)))
    #expect(
      try leftovers == ["an interrupted run left '\(left.name)'; the store is unchanged"])
    _ = try migrator.pruneSnapshots(of: path, keeping: 1)
    #expect(try FileSystem.read(path) == old)
    #expect(try folder.names == ["default.store"])
  }

  @Test func `a copy of the old store is forgotten where the header went back already`() throws {
    let old = try FileSystem.read(path)
    let left = try createFolder()
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("PRAGMA journal_mode = DELETE")
    }
    try FileSystem.copy(path, to: left.mainFile.path)
    let file = try FileDescriptor(opening: path, for: .updating)
    try file.write(Array(old.prefix(100)), at: 0)
    #expect(
      try leftovers == ["an interrupted run left '\(left.name)'; the store is unchanged"])
    _ = try migrator.pruneSnapshots(of: path, keeping: 1)
    #expect(try FileSystem.read(path) == old)
    #expect(try folder.names == ["default.store"])
  }

  @Test(arguments: ["header", "work"])
  func `what a run no longer needs is removed from its snapshot`(name: String) throws {
    let (snapshot, receipt) = try applied()
    let new = try FileSystem.read(path)
    if name == "header" {
      try FileSystem.create(snapshot.file(.header).path, receipt.header)
    } else {
      // The rename between two folders has split: the new store has both names.
      try FileSystem.link(path, to: snapshot.file(.work).path)
    }
    let before = try fingerprint(of: folder)
    #expect(
      try leftovers
        == ["an interrupted run left files in '\(snapshot.name)' that it no longer needed"])
    #expect(try fingerprint(of: folder) == before)
    _ = try migrator.pruneSnapshots(of: path, keeping: 1)
    #expect(try leftovers == [])
    #expect(try FileSystem.list(snapshot.path) == ["default.store", "receipt.json"])
    #expect(try FileSystem.read(path) == new)
    #expect(try migrator.rollback(path).to == "V6")
  }

  @Test func `an exchange whose rename has split is completed`() throws {
    let (snapshot, receipt) = try applied()
    try FileSystem.link(path, to: snapshot.file(.work).path)
    try snapshot.mark(receipt, as: .pending)
    #expect(
      try leftovers == [
        "an interrupted run had already replaced the store; '\(snapshot.name)' is its snapshot"
      ])
    let back = try migrator.rollback(path)
    #expect(back.notes.count == 1 && back.to == "V6")
    #expect(try FileStatus(of: path).linkCount == 1)
  }

  // MARK: - Parked values

  @Test func `the draft of a copy of parked values goes, even if a link can be made now`() throws {
    _ = try applied()
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("UPDATE ZSDOUTBOXEVENT SET ZPRIORITY = 9 WHERE Z_PK = 1")
    }
    let parked = try #require(try migrator.rollback(path, laterWrites: .keep).parkedFile)
    let kept = try #require(try SnapshotFolder.all(of: files).last)
    try kept.mark(try #require(try kept.receipt()), as: .pending)
    try FileSystem.rename(folder.path(parked), to: folder.path(parked + ".new"))
    #expect(try leftovers.count == 1)
    _ = try migrator.pruneSnapshots(of: path, keeping: 9)
    #expect(try leftovers == [])
    #expect(try folder.names == ["default.store", parked, "default.store.snapshots"])
  }

  // MARK: - External data

  @Test func `a part of a value that a rollback was restoring isn't a value`() throws {
    let values = folder.path(".default_SUPPORT/_EXTERNAL_DATA")
    try FileSystem.createDirectory(folder.path(".default_SUPPORT"), mode: 0o755)
    try FileSystem.createDirectory(values, mode: 0o755)
    let value = "0B6AF7F0-5C0B-4C53-9A52-9A0CDBB6E5D3"
    try FileSystem.create("\(values)/\(value)", [1, 2, 3])
    _ = try applied()
    // Not the name of a draft: it isn't a value's.
    try FileSystem.create("\(values)/other.new", [5])
    try FileSystem.create("\(values)/\(value).new", [1])
    let note =
      "an interrupted rollback left a part of a value, '\(value).new', in the external data"
    #expect(try leftovers == [note])
    #expect(try migrator.verify(path, comparesReceipt: true).receipt?.files.added == 1)
    #expect(try FileSystem.exists("\(values)/\(value).new"))
    let back = try migrator.rollback(path, laterWrites: .discard)
    #expect(back.notes.first == note)
    #expect(try FileSystem.list(values) == [value, "other.new"])
    let kept = try #require(back.kept)
    #expect(try FileSystem.list("\(kept)/_EXTERNAL_DATA") == [value, "other.new"])
    #expect(try leftovers == [])
  }
}
