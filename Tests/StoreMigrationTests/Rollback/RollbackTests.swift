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

@Suite struct RollbackTests {
  static let owner = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"

  @Test(arguments: ["V6", "V6@plan"])
  func `the old store comes back byte for byte`(version: String) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(version, in: folder)
    let hash = try sha256(ofFile: path)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, MigrationRequest(userID: Self.owner))
    #expect(try sha256(ofFile: path) != hash)
    let report = try migrator.rollback(path)
    #expect(report.to == version)
    #expect(try sha256(ofFile: path) == hash)
    #expect(report.isExact)
    #expect(try folder.names == ["default.store", "default.store.snapshots"])
    let back = try migrator.rollback(path)
    #expect(back.to == "V7" || back.to == "V7@plan")
    #expect(!report.lacksRecord && !back.lacksRecord)
    #expect(try migrator.verify(path).isPassed)
    _ = try migrator.rollback(path)
    #expect(try sha256(ofFile: path) == hash)
  }

  @Test(arguments: [false, true])
  func `a rollback of a rollback says if a record isn't restored`(writesFirst: Bool) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let migrator = try bundledMigrator()
    func write() throws {
      try Connection(path: path, mode: .readWrite).execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 1")
    }
    _ = try migrator.apply(to: path, MigrationRequest(userID: Self.owner))
    if writesFirst { try write() }
    #expect(try !migrator.rollback(path, laterWrites: .discard).lacksRecord)
    if !writesFirst { try write() }
    #expect(try migrator.rollback(path, laterWrites: .discard, dryRun: true).lacksRecord)
    #expect(try migrator.rollback(path, laterWrites: .discard).lacksRecord)
    let report = try migrator.verify(path, comparesReceipt: true)
    #expect(report.isPassed)
    #expect(!report.checks.map(\.name).contains("ledger"))
  }

  @Test(arguments: [false, true])
  func `the snapshot's own file goes back, unless it has another name`(hasOther: Bool) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let (file, hash) = (try FileStatus(of: path).identity, try sha256(ofFile: path))
    let migrator = try bundledMigrator()
    let report = try migrator.apply(to: path, MigrationRequest(userID: Self.owner))
    let snapshot = try #require(report.snapshot)
    #expect(try FileStatus(of: path).identity != file)
    let other = folder.path("other")
    if hasOther { try FileSystem.link(snapshot + "/default.store", to: other) }
    _ = try migrator.rollback(path)
    #expect(try sha256(ofFile: path) == hash)
    #expect(try FileStatus(of: path).linkCount == 1)
    #expect(try (FileStatus(of: path).identity == file) == !hasOther)
    #expect(try !FileSystem.exists(snapshot))
    // What the app writes to the store goes nowhere else.
    let before = hasOther ? try sha256(ofFile: other) : []
    let kept = try migrator.snapshots(of: path, checks: true).snapshots
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.125")
    }
    #expect(try migrator.snapshots(of: path, checks: true).snapshots == kept)
    #expect(kept.map(\.problem) == [nil])
    if hasOther { #expect(try sha256(ofFile: other) == before) }
  }

  @Test func `a store that was written to since is left alone`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, MigrationRequest(userID: Self.owner))
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        "UPDATE ZSDMOODENTRY SET ZVALENCE = 0.125 WHERE Z_PK = (SELECT min(Z_PK) FROM ZSDMOODENTRY)"
      )
    }
    let hash = try sha256(ofFile: path)
    let error = #expect(throws: MigrationError.self) { try migrator.rollback(path) }
    #expect(error?.exitStatus == .refused)
    #expect(try sha256(ofFile: path) == hash)
  }

  @Test func `opening the store, a checkpoint and new history don't count as writing`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let hash = try sha256(ofFile: path)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, MigrationRequest(userID: Self.owner))
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        "UPDATE ZSDMOODENTRY SET Z_OPT = Z_OPT + 1; DELETE FROM ACHANGE; VACUUM")
    }
    _ = try migrator.rollback(path)
    #expect(try sha256(ofFile: path) == hash)
  }

  /// Puts the SHA-256 of the rows into the receipt, as trial builds did.
  private func giveFormerContent(to path: String) throws {
    let (snapshot, receipt) = try #require(try SnapshotFolder.done(of: StoreFiles(path: path)).last)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let store = try StoreDescription(reading: connection)
    let layout = StoreLayout(try #require(store.cachedModel), joinTableNames: store.tableNames)
    let former = try ContentHash(.sha256, layout: layout, store: store, schema: "main")
      .value(connection)
    #expect(former.utf8.count == 64 && receipt.contentHash.utf8.count == 32)
    let text = receipt.text.replacing(receipt.contentHash, with: former)
    try FileSystem.replace(snapshot.file(.receipt).path, with: Array(text.utf8))
  }

  @Test(arguments: [false, true])
  func `a SHA-256 of rows in a receipt still counts`(isWritten: Bool) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let hash = try sha256(ofFile: path)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, MigrationRequest(userID: Self.owner))
    try giveFormerContent(to: path)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("UPDATE ZSDMOODENTRY SET Z_OPT = Z_OPT + 1; VACUUM")
      if isWritten { try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.125") }
    }
    #expect(try migrator.verify(path).isPassed)
    guard isWritten else {
      #expect(try migrator.rollback(path).isExact)
      #expect(try sha256(ofFile: path) == hash)
      return
    }
    #expect(throws: MigrationError.self) { try migrator.rollback(path) }
    #expect(try !migrator.rollback(path, laterWrites: .keep).isExact)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    #expect(
      try connection.value("SELECT 1 FROM ZSDMOODENTRY WHERE ZVALENCE <> 0.125 LIMIT 1") == nil)
  }

  /// Replaces the hashes of the two files in the receipt.
  ///
  /// The closure gets a file's member in the receipt's text and its SHA-256, and returns another
  /// member.
  private func replaceHashes(
    _ path: String, with other: (_ member: String, _ sha256: String) -> String
  ) throws {
    let (snapshot, receipt) = try #require(try SnapshotFolder.done(of: StoreFiles(path: path)).last)
    let kept = try FileDescriptor(opening: snapshot.mainFile.path)
    var text = receipt.text
    for (hash, former) in [
      (receipt.snapshotHash, try kept.hash(by: .sha256, replacingHeader: receipt.header)),
      (receipt.written.hash, try FileDescriptor(opening: path).hash(by: .sha256)),
    ] {
      let member = "\"xxh128\": \"\(hash)\""
      #expect(text.contains(member))
      text = text.replacing(member, with: other(member, former))
    }
    try FileSystem.replace(snapshot.file(.receipt).path, with: Array(text.utf8))
  }

  @Test(arguments: [false, true], [false, true])
  func `a SHA-256 of files in a receipt still counts`(isAlone: Bool, isWritten: Bool) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let hash = try sha256(ofFile: path)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, MigrationRequest(userID: Self.owner))
    try replaceHashes(path) { "\"sha256\": \"\($1)\"" + (isAlone ? "" : ", \($0)") }
    #expect(try migrator.verify(path).isPassed)
    #expect(try migrator.snapshots(of: path, checks: true).snapshots.map(\.problem) == [nil])
    guard isWritten else {
      #expect(try migrator.rollback(path).isExact)
      #expect(try sha256(ofFile: path) == hash)
      return
    }
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.125")
    }
    #expect(throws: MigrationError.self) { try migrator.rollback(path) }
    #expect(try migrator.rollback(path, laterWrites: .discard).isExact)
    #expect(try sha256(ofFile: path) == hash)
  }

  @Test(arguments: [#""xxh128": null"#, #""sha256": null"#, #""sha256": "00""#])
  func `a receipt without a file's hash isn't trusted`(other: String) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, MigrationRequest(userID: Self.owner))
    let migrated = try sha256(ofFile: path)
    try replaceHashes(path) { _, _ in other }
    #expect(throws: MigrationError.self) { try migrator.rollback(path) }
    #expect(try sha256(ofFile: path) == migrated)
  }

  @Test(arguments: [true, false], [3, 17, 59, -1])
  func `a snapshot that was tampered with isn't trusted`(
    hasFormerHashes: Bool, place: Int64
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let migrator = try bundledMigrator()
    let report = try migrator.apply(to: path, MigrationRequest(userID: Self.owner))
    if hasFormerHashes { try replaceHashes(path) { "\"sha256\": \"\($1)\"" } }
    let kept = try #require(report.snapshot) + "/default.store"
    let file = try FileDescriptor(opening: kept, for: .updating)
    try file.write([0x58], at: place < 0 ? try file.status().size + place : place)
    let error = #expect(throws: MigrationError.self) { try migrator.rollback(path) }
    #expect(
      error?.description.hasSuffix("its store doesn't match its receipt; the store is unchanged")
        == true)
    #expect(try migrator.status(of: path).recognition.version?.name == "V7")
  }

  @Test func `a store without snapshot can't go back`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let error = #expect(throws: MigrationError.self) { try bundledMigrator().rollback(path) }
    #expect(
      error?.description.contains("has no snapshot to roll back to") == true)
  }

  @Test func `rows in the log are part of the snapshot`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let log = folder.path("kept-wal")
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.set(.noCheckpointOnClose, to: true)
      try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.5")
    }
    #expect(try FileStatus(of: path + "-wal").size > 0)
    try FileSystem.copy(path + "-wal", to: log)
    let before = try rows(of: "ZSDMOODENTRY", in: path)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, MigrationRequest(userID: Self.owner))
    #expect(try !FileSystem.exists(path + "-wal") || FileStatus(of: path + "-wal").size == 0)
    #expect(try rows(of: "ZSDMOODENTRY", in: path) == before)
    _ = try migrator.rollback(path)
    #expect(try rows(of: "ZSDMOODENTRY", in: path) == before)
  }

  @Test func `an older snapshot is gone back to step by step, or at once without what came later`()
    throws
  {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V4", in: folder)
    let hash = try sha256(ofFile: path)
    let migrator = try bundledMigrator()
    let request = { MigrationRequest(target: $0, userID: Self.owner, acceptedLosses: ["all"]) }
    let first = try #require(try migrator.apply(to: path, request("V5")).snapshot)
    _ = try migrator.apply(to: path, request("V7"))
    let seven = try dump(path)
    let error = #expect(throws: MigrationError.self) { try migrator.rollback(path, to: first) }
    #expect(error?.description.contains("isn't at V5") == true)
    let report = try migrator.rollback(path, to: first, laterWrites: .discard)
    #expect(report.from == "V7")
    #expect(report.to == "V4")
    #expect(try sha256(ofFile: path) == hash)
    _ = try migrator.rollback(path)
    #expect(try dump(path) == seven)
    _ = try migrator.rollback(path)
    _ = try migrator.rollback(path)
    #expect(try dump(path) == seven)
  }
}
