import Platform
import SQLite
import StoreAccess
import StoreFormat
import TestSupport
import Testing

@testable import StoreExchange
@testable import StoreMigration
import Migrations

/// What becomes of a log whose end SQLite leaves out: a run folds in the rest, and keeps all of it.
@Suite struct DamagedLogTests {
  private let migrator: StoreMigrator
  private let folder: TemporaryDirectory
  private let path: String
  private var copy: String { path + ".unfinished-wal" }

  init() throws {
    migrator = try bundledMigrator()
    folder = try TemporaryDirectory()
    path = try makeStore("V6", rows: 20, in: folder)
  }

  /// Leaves two transactions in the log, and cuts it, by default within a page of the second.
  private func damageLog(_ valence: Double = 0.5, cutting count: Int = 1_000) throws -> [UInt8] {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.set(.noCheckpointOnClose, to: true)
    try connection.execute(
      "PRAGMA wal_autocheckpoint = 0; UPDATE ZSDMOODENTRY SET ZVALENCE = \(valence)")
    try connection.execute("DELETE FROM ZSDOUTBOXEVENT")
    let bytes = try Array(FileSystem.read(path + "-wal").dropLast(count))
    try FileSystem.removeIfPresent(path + "-shm")
    try FileSystem.remove(path + "-wal")
    try FileSystem.create(path + "-wal", bytes)
    return bytes
  }

  private func apply() throws { _ = try migrator.apply(to: path, PowerLossTests.request) }

  @Test func `a run keeps a damaged log beside the store, whatever follows`() throws {
    let bytes = try damageLog()
    #expect(try migrator.status(of: path).warnings.map(\.code) == ["unfinished-log"])
    try apply()
    #expect(try FileSystem.read(copy) == bytes)
    #expect(try migrator.verify(path).isPassed)
    #expect(try migrator.status(of: path).warnings.isEmpty)
    _ = try migrator.rollback(path)
    _ = try migrator.pruneSnapshots(of: path, keeping: 0, force: true)
    #expect(try FileSystem.read(copy) == bytes)
    #expect(try !FileSystem.exists(copy + "-2"))
  }

  @Test func `a run after one that was killed makes no second copy`() throws {
    let bytes = try damageLog()
    // The copy is there, as after a kill before the log was folded in.
    try FileSystem.create(copy, bytes)
    try apply()
    #expect(try FileSystem.read(copy) == bytes)
    #expect(try !FileSystem.exists(copy + "-2"))
  }

  @Test func `another damaged log gets another name`() throws {
    try FileSystem.create(copy, [1, 2, 3])
    let bytes = try damageLog(0.25)
    try apply()
    #expect(try FileSystem.read(copy) == [1, 2, 3])
    #expect(try FileSystem.read(copy + "-2") == bytes)
  }

  @Test func `what leads elsewhere isn't written over`() throws {
    let elsewhere = folder.path("elsewhere")
    try FileSystem.create(elsewhere, [7])
    try FileSystem.symbolicLink(copy, to: elsewhere)
    let bytes = try damageLog()
    try apply()
    #expect(try FileSystem.read(elsewhere) == [7])
    #expect(try FileSystem.read(copy + "-2") == bytes)
  }

  @Test func `a log that an app left in the middle of a transaction isn't kept`() throws {
    // A page and its frame's header: the transaction's last.
    _ = try damageLog(cutting: 4_096 + 24)
    try apply()
    #expect(try !FileSystem.exists(copy))
  }
}
