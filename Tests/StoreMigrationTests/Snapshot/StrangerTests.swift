import JSONText
import Migrations
import Platform
import SQLite
import StoreAccess
import StoreFormat
import TestSupport
import Testing

@testable import StoreExchange
@testable import StoreMigration
import OutboxConversion
import StoreProof

/// Folders beside a store may come from strangers.
///
/// No link is followed, and nothing outside the store's own folder is written or removed, whatever
/// a receipt says.
@Suite struct StrangerTests {
  static let request = MigrationRequest(userID: "6F9619FF-8B86-4D01-B42D-00CF4FC964FF")

  /// A migrated store with its snapshot, and a folder of someone else's.
  private struct Planted {
    let folder: TemporaryDirectory
    let outside: TemporaryDirectory
    let path: String
    let snapshot: SnapshotFolder
    let migrator: StoreMigrator

    init(
      _ request: MigrationRequest = StrangerTests.request, rows: Int = 10,
      hasExternalData: Bool = false
    ) throws {
      (folder, outside) = (try TemporaryDirectory(), try TemporaryDirectory())
      path = try makeStore("V6", rows: rows, seed: 5, in: folder)
      if hasExternalData {
        try FileSystem.createDirectory(folder.path(".default_SUPPORT"), mode: 0o755)
        try FileSystem.createDirectory(folder.path(".default_SUPPORT/_EXTERNAL_DATA"), mode: 0o755)
        try FileSystem.create(folder.path(".default_SUPPORT/_EXTERNAL_DATA/A"), [1, 2, 3])
      }
      migrator = try bundledMigrator()
      _ = try migrator.apply(to: path, request)
      snapshot = try #require(try SnapshotFolder.all(of: StoreFiles(path: path)).first)
      try FileSystem.create(outside.path("precious"), [7])
      try FileSystem.create(outside.path("A"), [8])
    }

    var receipt: Receipt { get throws { try #require(try snapshot.receipt()) } }

    /// Replaces texts in the snapshot's receipt.
    func forge(_ changes: (of: String, with: String)...) throws {
      var text = String(
        decoding: try FileSystem.read(snapshot.file(.receipt).path), as: UTF8.self)
      for change in changes {
        #expect(text.contains(change.of))
        text = text.replacing(change.of, with: change.with)
      }
      try FileSystem.replace(snapshot.file(.receipt).path, with: Array(text.utf8))
    }

    /// Runs every command that writes, and returns their errors.
    func write() throws -> [String] {
      let commands: [() throws -> Void] = [
        { _ = try migrator.apply(to: path, StrangerTests.request) },
        { _ = try migrator.rollback(path) },
        { _ = try migrator.rollback(path, laterWrites: .discard) },
        { _ = try migrator.pruneSnapshots(of: path, keeping: 0, force: true) },
        { _ = try migrator.edit(path, as: "test", keepingSnapshot: true) { _ in } },
      ]
      return commands.compactMap { command in
        do {
          try command()
          return nil
        } catch {
          return "\(error)"
        }
      }
    }

    func expectOutsideUntouched(_ label: String = "") throws {
      #expect(try outside.names == ["A", "precious"], "\(label)")
      #expect(try FileSystem.read(outside.path("precious")) == [7], "\(label)")
      #expect(try FileSystem.read(outside.path("A")) == [8], "\(label)")
    }
  }

  @Test func `a receipt can't cause the removal of a link's target`() throws {
    let planted = try Planted()
    let link = "V5-V6-20261121T000000Z"
    try FileSystem.symbolicLink(planted.path + ".snapshots/\(link)", to: planted.outside.path)
    try planted.forge(
      ("\"state\": \"done\"", "\"state\": \"pending\""),
      ("\"undone\": null", "\"undone\": \"\(link)\""),
      ("\"undone_is_obsolete\": false", "\"undone_is_obsolete\": true"))
    let errors = try planted.write()
    #expect(errors.count == 5)
    for error in errors {
      #expect(error.contains("\(link)' is a symbolic link, which isn't followed; move it away"))
    }
    try planted.expectOutsideUntouched()
    // Once the link is moved away, as the message says, it no longer blocks a rollback.
    try FileSystem.remove(planted.path + ".snapshots/\(link)")
    #expect(try planted.migrator.rollback(planted.path).notes.count == 1)
  }

  @Test(arguments: ["../../x", "x", "..", ".", "mine", "20261121T000000Z/.."])
  func `a receipt names no folder but a snapshot`(name: String) throws {
    let planted = try Planted()
    let mine = planted.path + ".snapshots/mine"
    try FileSystem.createDirectory(mine)
    try planted.forge(
      ("\"state\": \"done\"", "\"state\": \"pending\""),
      ("\"undone\": null", "\"undone\": \"\(name)\""),
      ("\"undone_is_obsolete\": false", "\"undone_is_obsolete\": true"))
    _ = try planted.write()
    #expect(try FileSystem.exists(mine))
    #expect(try FileSystem.exists(planted.snapshot.mainFile.path))
  }

  @Test func `a receipt can't cause the removal of its own snapshot`() throws {
    let planted = try Planted()
    try planted.forge(
      ("\"state\": \"done\"", "\"state\": \"pending\""),
      ("\"undone\": null", "\"undone\": \"\(planted.snapshot.name)\""),
      ("\"undone_is_obsolete\": false", "\"undone_is_obsolete\": true"))
    _ = try planted.migrator.apply(to: planted.path, Self.request)
    #expect(try FileSystem.exists(planted.snapshot.mainFile.path))
    #expect(try planted.receipt.state == .done)
  }

  @Test func `versions in a receipt lead to no other folder`() throws {
    let planted = try Planted()
    // The folder of the next rollback is named after the versions.
    try FileSystem.createDirectory(planted.path + ".snapshots/V7-V6")
    try planted.forge(("\"from\": \"V6\"", "\"from\": \"V6/../../../escaped\""))
    let parent = FileSystem.parent(of: planted.folder.path)
    let before = try FileSystem.list(parent).filter { $0.hasPrefix("escaped") }
    #expect(throws: MigrationError.self) { try planted.migrator.rollback(planted.path) }
    #expect(try planted.folder.names.filter { $0.hasPrefix("escaped") } == [])
    #expect(try FileSystem.list(parent).filter { $0.hasPrefix("escaped") } == before)
  }

  @Test(arguments: [".default_SUPPORT", ".default_SUPPORT/_EXTERNAL_DATA"])
  func `external data isn't read or written through a link`(place: String) throws {
    let planted = try Planted(hasExternalData: true)
    let outside = planted.outside
    if place == ".default_SUPPORT" {
      try FileSystem.createDirectory(outside.path("_EXTERNAL_DATA"))
      try FileSystem.create(outside.path("_EXTERNAL_DATA/A"), [8])
    }
    let present = planted.folder.path(place)
    try FileSystem.removeTree(present)
    try FileSystem.symbolicLink(present, to: outside.path)
    let before = try fingerprint(of: outside)
    let snapshots = try FileSystem.list(planted.path + ".snapshots")
    for (name, command) in [
      ("rollback", { _ = try planted.migrator.rollback(planted.path) }),
      (
        "edit",
        { _ = try planted.migrator.edit(planted.path, as: "test", keepingSnapshot: true) { _ in } }
      ),
    ] as [(String, () throws -> Void)] {
      let error = #expect(throws: MigrationError.self) { try command() }
      #expect(
        error?.description.contains("\(place)' is a symbolic link, which isn't followed") == true,
        "\(name)")
    }
    #expect(try fingerprint(of: outside) == before)
    #expect(try FileSystem.list(planted.path + ".snapshots") == snapshots)
    try planted.forge(("\"state\": \"done\"", "\"state\": \"pending\""))
    _ = try planted.write()
    #expect(try fingerprint(of: outside) == before)
  }

  @Test func `a killed rollback writes no external data through a link`() throws {
    let planted = try Planted(hasExternalData: true)
    let large = planted.folder.path(".default_SUPPORT/_EXTERNAL_DATA")
    let undone = planted.snapshot
    let receipt = try planted.receipt
    let external = try FileSystem.read(undone.file(.external).path + "/A")
    let kept = try #require(try planted.migrator.rollback(planted.path).kept)
    // The state after the rename, with the restored snapshot's folder still there.
    let pending = SnapshotFolder(
      files: StoreFiles(path: planted.path), name: FileSystem.name(of: kept))
    try pending.mark(try #require(try pending.receipt()), as: .pending)
    try FileSystem.createDirectory(undone.path)
    try FileSystem.createDirectory(undone.file(.external).path)
    try FileSystem.create(undone.file(.external).path + "/A", external)
    try undone.mark(receipt, as: .returning)
    try FileSystem.removeTree(large)
    try FileSystem.symbolicLink(large, to: planted.outside.path)
    let errors = try planted.write()
    #expect(errors.count == 5)
    try planted.expectOutsideUntouched()
  }

  @Test(arguments: ["symbolic", "hard"])
  func `the file that a returning snapshot's name leads to is left alone`(kind: String) throws {
    let planted = try Planted()
    let other = planted.outside.path("other")
    try FileSystem.rename(planted.snapshot.mainFile.path, to: other)
    // A stranger's database that matches the receipt.
    let file = try FileDescriptor(opening: other, for: .updating)
    try file.write([2, 2], at: 18)
    let before = try FileSystem.read(other)
    if kind == "symbolic" {
      try FileSystem.symbolicLink(planted.snapshot.mainFile.path, to: other)
    } else {
      try FileSystem.link(other, to: planted.snapshot.mainFile.path)
    }
    try planted.forge(("\"state\": \"done\"", "\"state\": \"returning\""))
    _ = try planted.write()
    #expect(try FileSystem.read(other) == before)
  }

  @Test func `no store gets a header that nothing opens`() throws {
    let planted = try Planted()
    let receipt = try planted.receipt
    var header = receipt.header
    header[18] = 9
    header[19] = 9
    // Someone who changes a receipt can compute a matching hash.
    let kept = try FileDescriptor(opening: planted.snapshot.mainFile.path)
    let hash = try kept.hash(replacingHeader: header)
    try planted.forge(
      (receipt.snapshotHash, hash),
      (base64Encoded(receipt.header), base64Encoded(header)))
    #expect(
      try planted.migrator.snapshots(of: planted.path, checks: true).snapshots.map(\.problem)
        == ["its store doesn't match its receipt"])
    let error = #expect(throws: MigrationError.self) { try planted.migrator.rollback(planted.path) }
    #expect(error?.description.contains("its store doesn't match its receipt") == true)
    #expect(try planted.migrator.status(of: planted.path).recognition.version?.name == "V7")
  }

  @Test(arguments: ["parked.jsonl", "returned/default.store.parked-V7-V6-20261121T000000Z.jsonl"])
  func `no parked file is read through a link`(place: String) throws {
    let planted = try Planted()
    if place.hasPrefix("returned") {
      try FileSystem.createDirectory(planted.snapshot.file(.returned).path)
    }
    try FileSystem.symbolicLink(
      planted.snapshot.path + "/" + place, to: planted.outside.path("precious"))
    try planted.forge(("\"state\": \"done\"", "\"state\": \"pending\""))
    _ = try planted.write()
    #expect(try FileStatus(of: planted.outside.path("precious")).linkCount == 1)
    try planted.expectOutsideUntouched()
  }

  @Test func `a snapshot's file behind a link isn't read`() throws {
    let planted = try Planted(DeliverableRowsTests.request, rows: 300)
    let migrator = planted.migrator
    let kept = try migrator.quarantine(of: planted.path).rows.count
    #expect(kept > 0)
    let file = planted.snapshot.mainFile.path
    let other = planted.outside.path("other")
    try FileSystem.rename(file, to: other)
    try FileSystem.symbolicLink(file, to: other)
    let before = try fingerprint(of: planted.outside)
    let report = try migrator.verify(planted.path, comparesReceipt: true)
    let failed = report.checks.filter { !$0.isPassed }
    #expect(failed.map(\.name) == ["snapshot"])
    #expect(failed.first?.details == ["'\(planted.snapshot.name)': its store is missing"])
    // An edit reads it to know how the rows were made.
    let error = #expect(throws: MigrationError.self) {
      try migrator.restoreQuarantine(of: planted.path, as: .documented)
    }
    #expect(error?.description.contains("'\(file)' is a symbolic link") == true)
    #expect(throws: MigrationError.self) { try migrator.rollback(planted.path) }
    #expect(try fingerprint(of: planted.outside) == before)
    try FileSystem.remove(file)
    try FileSystem.rename(other, to: file)
    #expect(try migrator.restoreQuarantine(of: planted.path, as: .documented).restored > 0)
  }

  @Test(arguments: [".default_SUPPORT", ".default_SUPPORT/_EXTERNAL_DATA"])
  func `external data behind a link isn't read to verify`(place: String) throws {
    let planted = try Planted(hasExternalData: true)
    let report = try planted.migrator.verify(planted.path, comparesReceipt: true)
    #expect(report.receipt?.files == FileChanges())
    let present = planted.folder.path(place)
    try FileSystem.rename(present, to: planted.outside.path("large"))
    try FileSystem.symbolicLink(present, to: planted.outside.path("large"))
    let error = #expect(throws: MigrationError.self) {
      try planted.migrator.verify(planted.path, comparesReceipt: true)
    }
    #expect(
      error?.description.contains("\(place)' is a symbolic link, which isn't followed") == true)
  }

  @Test func `SQLite opens no file in a snapshot's folder but that file`() throws {
    let planted = try Planted()
    let (file, outside) = (planted.snapshot.mainFile, planted.outside.path("other"))
    let connection = try Connection(path: "", mode: .temporary, followingLinks: false)
    try connection.attach(file, as: "old", mode: .immutable)
    #expect(try !connection.hasMoved("old"))
    try connection.detach("old")
    try FileSystem.rename(file.path, to: outside)
    try FileSystem.symbolicLink(file.path, to: outside)
    try expectLink(at: file.path) { try connection.attach(file, as: "old", mode: .immutable) }
    try expectLink(at: file.path) { _ = try Connection.open(file, mode: .readWrite) }
    try FileSystem.remove(file.path)
    try FileSystem.rename(planted.snapshot.path, to: planted.outside.path("folder"))
    try FileSystem.rename(outside, to: planted.outside.path("folder/default.store"))
    try FileSystem.symbolicLink(planted.snapshot.path, to: planted.outside.path("folder"))
    try expectLink(at: planted.snapshot.path) {
      try connection.attach(file, as: "old", mode: .immutable)
    }
    try expectLink(at: planted.snapshot.path) { _ = try Connection.open(file, mode: .readWrite) }
    #expect(try connection.rows("PRAGMA database_list").count == 1)
  }

  private func expectLink(at path: String, _ body: () throws -> Void) throws {
    let error = #expect(throws: SystemError.self, performing: body)
    #expect(error?.isSymbolicLink == true && error?.path == path)
  }
}
