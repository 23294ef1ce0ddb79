import Platform
import SQLite
import StoreFormat
import TestSupport
import Testing

@testable import StoreExchange
@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Listing and pruning snapshots.
@Suite struct SnapshotTests {
  static let request = MigrationRequest(userID: "6F9619FF-8B86-4D01-B42D-00CF4FC964FF")

  /// A store that was migrated and rolled back over later writes some times, then migrated again.
  private struct Travelled {
    let folder: TemporaryDirectory
    let path: String
    let migrator: StoreMigrator

    init(rounds: Int) throws {
      folder = try TemporaryDirectory()
      path = try makeStore("V6", rows: 20, in: folder)
      migrator = try bundledMigrator()
      for round in 0..<rounds {
        _ = try migrator.apply(to: path, SnapshotTests.request)
        try write("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.\(round + 1)")
        _ = try migrator.rollback(path, laterWrites: .keep)
      }
      _ = try migrator.apply(to: path, SnapshotTests.request)
    }

    func write(_ statement: String) throws {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(statement)
    }

    func list(checks: Bool = false) throws -> [SnapshotReport] {
      try migrator.snapshots(of: path, checks: checks).snapshots
    }

    func folder(_ name: String) -> SnapshotFolder {
      SnapshotFolder(files: StoreFiles(path: path), name: name)
    }

    func prune(
      _ count: Int, force: Bool = false, dryRun: Bool = false
    ) throws -> SnapshotPruneReport {
      try migrator.pruneSnapshots(of: path, keeping: count, force: force, dryRun: dryRun)
    }

    func damage(_ snapshot: SnapshotReport) throws {
      let file = try FileDescriptor(opening: folder(snapshot.name).mainFile.path, for: .updating)
      let place = try file.status().size - 1
      try file.write([try file.read(1, at: place)[0] ^ 0xFF], at: place)
    }

    /// The lines of the whole folder below the store's, with the bytes of every file.
    func tree() throws -> [String] {
      try FileSystem.list(path + ".snapshots").flatMap { name in
        try FileSystem.list("\(path).snapshots/\(name)").map { file in
          let path = "\(path).snapshots/\(name)/\(file)"
          let isFile = try FileStatus(of: path).kind == .regular
          return "\(name)/\(file) \(isFile ? Hexadecimal.encode(try sha256(ofFile: path)) : "")"
        }
      }
    }
  }

  @Test func `runs of one second are listed in their order`() throws {
    let store = try Travelled(rounds: 2)
    let before = try fingerprint(of: store.folder) + store.tree()
    let list = try store.list(checks: true)
    #expect(list.map { $0.receipt?.kind } == [.apply, .rollback, .apply, .rollback, .apply])
    #expect(list.map { $0.receipt?.to } == ["V7", "V6", "V7", "V6", "V7"])
    #expect(list.map(\.isNext) == [false, false, false, false, true])
    #expect(list.allSatisfy { $0.state == .done && $0.problem == nil && $0.bytes > 100_000 })
    #expect(try fingerprint(of: store.folder) + store.tree() == before)
    let back = try store.migrator.rollback(store.path)
    #expect(back.snapshot.hasSuffix(list[4].name))
  }

  @Test func `a run after the clock was set back is the newest`() throws {
    let store = try Travelled(rounds: 0)
    let first = "V6-V7-20991121T015800Z"
    try FileSystem.rename(
      store.folder(try store.list()[0].name).path, to: store.folder(first).path)
    _ = try store.migrator.edit(store.path, as: "test") {
      try $0.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.5")
    }
    let list = try store.list()
    #expect(list.map(\.name) == [first, "V7-V7-20991121T015800Z-2"])
    #expect(list.map(\.isNext) == [false, true])
    #expect(try store.prune(1).removed.map(\.name) == [first])
  }

  @Test func `only a check finds that a snapshot has changed`() throws {
    let store = try Travelled(rounds: 1)
    let snapshots = try store.list()
    try store.damage(snapshots[1])
    #expect(try store.list().allSatisfy { $0.problem == nil })
    #expect(
      try store.list(checks: true).map(\.problem) == [
        nil, "its store doesn't match its receipt", nil,
      ])
    #expect(try !store.migrator.snapshots(of: store.path, checks: true).isPassed)
    try FileSystem.replace(
      store.folder(snapshots[0].name).file(.receipt).path, with: Array("{}".utf8))
    #expect(try store.list().map(\.state) == [.unreadable, .done, .done])
  }

  @Test func `no snapshot is chosen while the newest receipt can't be read`() throws {
    let store = try Travelled(rounds: 1)
    let names = try store.list().map(\.name)
    try FileSystem.replace(store.folder(names[2]).file(.receipt).path, with: Array("{}".utf8))
    #expect(try store.list().map(\.isNext) == [false, false, false])
    for name in [nil, names[2]] {
      let error = #expect(throws: MigrationError.self) {
        try store.migrator.rollback(store.path, to: name, laterWrites: .discard)
      }
      #expect(
        error?.description.hasPrefix("snapshot '\(names[2])' can't be trusted: its receipt") == true
      )
    }
    #expect(try store.prune(0).spared == names[1])
    #expect(
      try store.migrator.rollback(store.path, to: names[1], laterWrites: .discard).snapshot
        .hasSuffix(names[1]))
  }

  @Test(arguments: 0...4)
  func `the newest stay, and the one to go back to`(count: Int) throws {
    let store = try Travelled(rounds: 1)
    let names = try store.list().map(\.name)
    let rows = try dump(store.path)
    let before = try store.tree()
    let look = try store.prune(count, dryRun: true)
    #expect(try store.tree() == before)
    let report = try store.prune(count)
    #expect(report.removed == look.removed)
    #expect(report.spared == (count == 0 ? names[2] : nil))
    #expect(report.kept.map(\.name) == names.suffix(max(count, 1)))
    #expect(report.removed.map(\.name) == names.dropLast(max(count, 1)))
    #expect(try store.list(checks: true).map(\.name) == names.suffix(max(count, 1)))
    #expect(try dump(store.path) == rows)
    #expect(try store.migrator.rollback(store.path).to == "V6")
  }

  @Test func `force removes the newest snapshot, and the folder with the last one`() throws {
    let store = try Travelled(rounds: 1)
    let report = try store.prune(0, force: true)
    #expect(report.removed.count == 3)
    #expect(try !FileSystem.exists(store.path + ".snapshots"))
    let error = #expect(throws: MigrationError.self) { try store.migrator.rollback(store.path) }
    #expect(error?.description.contains("has no snapshot") == true)
    #expect(try store.prune(1).removed.isEmpty)
  }

  @Test func `a sound snapshot isn't removed in favor of a damaged one`() throws {
    let store = try Travelled(rounds: 1)
    let snapshots = try store.list()
    try store.damage(snapshots[2])
    let report = try store.prune(1)
    #expect(report.removed.map(\.name) == [snapshots[0].name])
    #expect(report.kept.map(\.problem) == [nil, "its store doesn't match its receipt"])
  }

  @Test func `a killed prune is finished by the next one`() throws {
    let store = try Travelled(rounds: 1)
    let oldest = store.folder(try store.list()[0].name)
    var receipt = try #require(try oldest.receipt())
    receipt.state = .removing
    try oldest.write(receipt)
    try FileSystem.remove(oldest.mainFile.path)
    #expect(try store.list()[0].state == .unfinished)
    #expect(try store.prune(2, dryRun: true).notes.count == 1)
    #expect(try FileSystem.exists(oldest.path))
    let report = try store.prune(2)
    #expect(report.notes.count == 1)
    #expect(report.kept.count == 2)
    #expect(try !FileSystem.exists(oldest.path))
  }

  @Test func `pruning keeps parked values`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 20, in: folder)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, Self.request)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("UPDATE ZSDOUTBOXEVENT SET ZPRIORITY = 9 WHERE Z_PK = 1")
    }
    let parked = try #require(try migrator.rollback(path, laterWrites: .keep).parkedFile)
    _ = try migrator.pruneSnapshots(of: path, keeping: 0, force: true)
    #expect(try folder.names == ["default.store", parked])
    _ = try migrator.apply(to: path, Self.request)
    let row = try #require(try rows(of: "ZSDOUTBOXEVENT", in: path).first)
    #expect(row["ZPRIORITY"] == 9)
    // The receipt describes the migration's result, before the parked values were restored.
    #expect(try migrator.verify(path, comparesReceipt: true).isPassed)
  }
}
