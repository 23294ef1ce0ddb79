import Platform
import SQLite
import StoreFormat
import Testing
import TestSupport

@testable import StoreExchange
@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// What a killed run leaves, made by hand state by state, and what the next run does about it.
@Suite struct InterruptionTests {
  static let owner = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"
  static let request = MigrationRequest(userID: owner)

  /// A migrated store with its snapshot, and the bytes that both had before and after.
  private struct Applied {
    let folder: TemporaryDirectory
    let path: String
    let snapshot: SnapshotFolder
    let old: [UInt8]
    let new: [UInt8]

    init() throws {
      folder = try TemporaryDirectory()
      path = try makeStore("V6", rows: 30, in: folder)
      old = try FileSystem.read(path)
      _ = try bundledMigrator().apply(to: path, InterruptionTests.request)
      new = try FileSystem.read(path)
      snapshot = try #require(try SnapshotFolder.all(of: StoreFiles(path: path)).first)
    }

    func receipt() throws -> Receipt { try #require(try snapshot.receipt()) }
  }

  @Test func `a run that built without a receipt is forgotten`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 30, in: folder)
    let hash = try sha256(ofFile: path)
    let left = try SnapshotFolder.create(for: StoreFiles(path: path), from: "V6", to: "V7")
    try FileSystem.create(left.file(.work).path, [1, 2, 3])
    let migrator = try bundledMigrator()
    #expect(
      try migrator.status(of: path).remains
        == ["an interrupted run left '\(left.name)'; the store is unchanged"])
    #expect(try FileSystem.exists(left.file(.work).path))
    let report = try migrator.apply(to: path, Self.request)
    #expect(report.notes.count == 1)
    // The new snapshot may have the old one's name: the time in it has whole seconds.
    #expect(try SnapshotFolder.all(of: StoreFiles(path: path)).count == 1)
    #expect(try !FileSystem.exists(left.file(.work).path))
    _ = try migrator.rollback(path)
    #expect(try sha256(ofFile: path) == hash)
    #expect(try folder.names.first == "default.store")
  }

  @Test func `a run that had changed the header puts it back`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 30, in: folder)
    let hash = try sha256(ofFile: path)
    let left = try SnapshotFolder.create(for: StoreFiles(path: path), from: "V6", to: "V7")
    try FileSystem.create(left.file(.header).path, try FileSystem.read(path).prefix(100) + [])
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("PRAGMA journal_mode = DELETE")
    }
    #expect(try sha256(ofFile: path) != hash)
    let migrator = try bundledMigrator()
    let error = #expect(throws: MigrationError.self) { try migrator.rollback(path) }
    #expect(error?.exitStatus == .failed)
    #expect(try sha256(ofFile: path) == hash)
    #expect(try folder.names == ["default.store"])
  }

  @Test func `an exchange that happened is finished`() throws {
    let applied = try Applied()
    var receipt = try applied.receipt()
    receipt.state = .pending
    try applied.snapshot.write(receipt)
    let migrator = try bundledMigrator()
    #expect(try migrator.status(of: applied.path).remains.count == 1)
    let report = try migrator.apply(to: applied.path)
    #expect(report.snapshot == nil)
    #expect(report.notes.count == 1)
    #expect(try applied.receipt().state == .done)
    _ = try migrator.rollback(applied.path)
    #expect(try FileSystem.read(applied.path) == applied.old)
  }

  @Test func `an exchange that didn't happen is forgotten`() throws {
    let applied = try Applied()
    var receipt = try applied.receipt()
    receipt.state = .pending
    try applied.snapshot.write(receipt)
    // The old file at the path again, as before the rename: settled, with the snapshot as second name.
    try FileSystem.rename(applied.path, to: applied.snapshot.file(.work).path)
    try FileSystem.link(applied.snapshot.mainFile.path, to: applied.path)
    let migrator = try bundledMigrator()
    let report = try migrator.apply(to: applied.path, Self.request)
    #expect(report.notes.count == 1)
    _ = try migrator.rollback(applied.path)
    #expect(try FileSystem.read(applied.path) == applied.old)
  }

  @Test(arguments: [false, true])
  func `a rollback is finished or forgotten`(happened: Bool) throws {
    let applied = try Applied()
    let migrator = try bundledMigrator()
    let first = try migrator.rollback(applied.path)
    let name = try #require(first.kept).split(separator: "/").last.map(String.init) ?? ""
    let kept = SnapshotFolder(files: StoreFiles(path: applied.path), name: name)
    var receipt = try #require(try kept.receipt())
    receipt.state = .pending
    try kept.write(receipt)
    if !happened {
      // The present file at the path again, as before the rename.
      try FileSystem.rename(applied.path, to: kept.file(.work).path)
      try FileSystem.link(kept.mainFile.path, to: applied.path)
    }
    #expect(try migrator.status(of: applied.path).remains.count == 1)
    if happened {
      let back = try migrator.rollback(applied.path)
      #expect(back.notes.count == 1)
      #expect(try migrator.status(of: applied.path).recognition.version?.name == "V7")
    } else {
      let error = #expect(throws: MigrationError.self) { try migrator.rollback(applied.path) }
      #expect(error?.description.contains("has no snapshot") == true)
      #expect(try migrator.status(of: applied.path).recognition.version?.name == "V7")
      #expect(try applied.folder.names == ["default.store"])
    }
  }

  @Test func `a copy of an interrupted rollback doesn't keep the obsolete snapshot`() throws {
    let applied = try Applied()
    let migrator = try bundledMigrator()
    let files = try ["receipt.json", "default.store"].map {
      ($0, try FileSystem.read("\(applied.path).snapshots/\(applied.snapshot.name)/\($0)"))
    }
    let kept = try #require(try migrator.rollback(applied.path).kept)
    // As between the exchange and the removal of the snapshot, in a copy: the store is no second
    // name of the snapshot's file.
    let obsolete = "\(applied.path).snapshots/\(applied.snapshot.name)"
    try FileSystem.createDirectory(obsolete)
    for (name, bytes) in files { try FileSystem.create("\(obsolete)/\(name)", bytes) }
    try applied.snapshot.mark(try applied.receipt(), as: .returning)
    let pending = SnapshotFolder(
      files: StoreFiles(path: applied.path), name: FileSystem.name(of: kept))
    var receipt = try #require(try pending.receipt())
    receipt.state = .pending
    try pending.write(receipt)
    #expect(
      try migrator.status(of: applied.path).remains == [
        "an interrupted run was removing '\(applied.snapshot.name)'",
        "an interrupted run had already replaced the store; '\(pending.name)' is its snapshot",
      ])
    #expect(try migrator.apply(to: applied.path, Self.request).notes.count == 2)
    #expect(try SnapshotFolder.all(of: StoreFiles(path: applied.path)).count == 2)
    _ = try migrator.rollback(applied.path)
    #expect(try FileSystem.read(applied.path) == applied.old)
  }

  @Test func `a snapshot whose file didn't go back counts again`() throws {
    let applied = try Applied()
    let migrator = try bundledMigrator()
    try applied.snapshot.mark(try applied.receipt(), as: .returning)
    let first = try migrator.snapshots(of: applied.path).snapshots
    #expect(first.map(\.state) == [.done])
    let name = applied.snapshot.name
    #expect(
      try migrator.status(of: applied.path).remains == [
        "an interrupted run was about to discard '\(name)'; it is kept"
      ])
    let back = try migrator.rollback(applied.path)
    #expect(back.notes.count == 1)
    #expect(try FileSystem.read(applied.path) == applied.old)
  }

  @Test(arguments: [false, true])
  func `a snapshot whose file went back is forgotten`(isNamed: Bool) throws {
    let applied = try Applied()
    let migrator = try bundledMigrator()
    // As after the rename: the store's file has another name in the snapshot, or has lost it.
    try applied.snapshot.mark(try applied.receipt(), as: .returning)
    try FileSystem.rename(applied.snapshot.mainFile.path, to: applied.path)
    if isNamed { try FileSystem.link(applied.path, to: applied.snapshot.mainFile.path) }
    #expect(
      try migrator.status(of: applied.path).remains == [
        "an interrupted run was removing '\(applied.snapshot.name)'"
      ])
    let report = try migrator.apply(to: applied.path, Self.request)
    #expect(report.notes.count == 1)
    let kept = try SnapshotFolder.all(of: StoreFiles(path: applied.path))
    #expect(try kept.map { try $0.receipt()?.state } == [.done])
    #expect(try FileStatus(of: applied.path).linkCount == 1)
    #expect(try migrator.verify(applied.path).isPassed)
  }

  @Test func `a snapshot whose file went back doesn't count, whatever is written to it`() throws {
    let applied = try Applied()
    let migrator = try bundledMigrator()
    // As after a kill at the rename: the store's file has another name in the snapshot.
    try applied.snapshot.mark(try applied.receipt(), as: .returning)
    try FileSystem.rename(applied.snapshot.mainFile.path, to: applied.path)
    try FileSystem.link(applied.path, to: applied.snapshot.mainFile.path)
    for number in 0...1 {
      do {
        let connection = try Connection(path: applied.path, mode: .readWrite)
        try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.\(number)")
      }
      #expect(try migrator.snapshots(of: applied.path).snapshots.map(\.state) == [.unfinished])
    }
    let rows = try dump(applied.path)
    let error = #expect(throws: MigrationError.self) { try migrator.rollback(applied.path) }
    #expect(error?.description.contains("has no snapshot") == true)
    #expect(try dump(applied.path) == rows)
    #expect(try applied.folder.names == ["default.store"])
  }

  @Test func `external data beside the store comes back, even if their folder is gone`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    let support = folder.path(".default_SUPPORT")
    try FileSystem.createDirectory(support, mode: 0o755)
    try FileSystem.createDirectory(support + "/_EXTERNAL_DATA", mode: 0o755)
    let value = support + "/_EXTERNAL_DATA/6F9619FF-8B86-4D01-B42D-00CF4FC964FF"
    try FileSystem.create(value, [1, 2, 3])
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.request)
    #expect(try FileSystem.read(value) == [1, 2, 3])
    try FileSystem.removeTree(support)
    _ = try migrator.rollback(path)
    #expect(try FileSystem.read(value) == [1, 2, 3])
  }

  @Test func `a log that was there and is gone is an error, not stale data`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.set(.noCheckpointOnClose, to: true)
      try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.5")
    }
    let migrator = try bundledMigrator()
    #expect(try migrator.status(of: path).recognition.match == .exact)
    try FileSystem.remove(path + "-wal")
    let error = #expect(throws: MigrationError.self) { try migrator.status(of: path) }
    #expect(error?.exitStatus == .unknownStore)
    #expect(error?.description.contains("-wal' is missing, and it contains newer rows") == true)
  }

  @Test func `a log that a killed run folded in isn't missing`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.set(.noCheckpointOnClose, to: true)
      try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.5")
    }
    let index = try FileSystem.read(path + "-shm")
    let left = try SnapshotFolder.create(for: StoreFiles(path: path), from: "V6", to: "V7")
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.walCheckpointTruncate()
      try FileSystem.create(left.file(.header).path, try FileSystem.read(path).prefix(100) + [])
      try connection.execute("PRAGMA journal_mode = DELETE")
    }
    // The run was killed before it removed the index of the log.
    try FileSystem.create(path + "-shm", index)
    let migrator = try bundledMigrator()
    #expect(try migrator.status(of: path).recognition.match == .exact)
    #expect(throws: MigrationError.self) { try migrator.rollback(path) }
    #expect(try FileSystem.read(path)[18] == 2)
    #expect(try migrator.status(of: path).recognition.match == .exact)
    #expect(try migrator.apply(to: path, Self.request).notes == [])
  }

  @Test func `a store with another name is refused, naming the count`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    try FileSystem.link(path, to: folder.path("another"))
    let before = try fingerprint(of: folder)
    let error = #expect(throws: MigrationError.self) {
      try bundledMigrator().apply(to: path, Self.request)
    }
    #expect(error?.description.contains("has 2 hard links") == true)
    #expect(error?.exitStatus == .inUse)
    #expect(try fingerprint(of: folder) == before)
  }
}
