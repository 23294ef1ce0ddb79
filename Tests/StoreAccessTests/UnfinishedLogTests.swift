import Platform
import SQLite
import StoreAccess
import StoreFormat
import TestSupport
import Testing

/// The end of a log that SQLite leaves out, beside what SQLite itself reads of the log.
@Suite struct UnfinishedLogTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  /// Makes a database whose log has five transactions of a row each, as a process that is killed leaves it.
  private func make() throws -> [UInt8] {
    let live = folder.path("live.store")
    let writer = try Connection(path: live, mode: .create)
    try writer.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    try writer.execute("CREATE TABLE t (a)")
    for number in 1...4 {
      try writer.execute("INSERT INTO t VALUES (\(number)), (zeroblob(9000))")
    }
    try FileSystem.create(path, FileSystem.read(live))
    return try FileSystem.read(live + "-wal")
  }

  private func log(of bytes: [UInt8]) throws -> UnfinishedLog? {
    try FileSystem.removeIfPresent(path + "-wal")
    try FileSystem.create(path + "-wal", bytes)
    return try UnfinishedLog(of: StoreFiles(resolving: path))
  }

  /// The number of pages of the log that SQLite reads, by its own account.
  private func pagesThatSQLiteReads() throws -> Int64 {
    let copy = folder.path("copy.store")
    for suffix in ["", "-wal", "-shm"] { try FileSystem.removeIfPresent(copy + suffix) }
    for suffix in ["", "-wal"] {
      try FileSystem.create(copy + suffix, FileSystem.read(path + suffix))
    }
    let connection = try Connection(path: copy, mode: .readWrite)
    return try connection.rows("PRAGMA wal_checkpoint(PASSIVE)")[0][1].int64 ?? -1
  }

  @Test func `a log that was left whole has no such end`() throws {
    let bytes = try make()
    #expect(try log(of: bytes) == nil)
    #expect(try log(of: []) == nil)
  }

  @Test func `an end that the app left isn't damage`() throws {
    let bytes = try make()
    let frame = 4096 + 24
    // The last transaction has several pages; without the last of them, no commit is missed.
    let end = try #require(try log(of: Array(bytes.dropLast(frame))))
    #expect(!end.isDamaged)
    #expect(try end.readPages == pagesThatSQLiteReads())
  }

  @Test func `cut and changed logs are told as SQLite reads them`() throws {
    let bytes = try make()
    let seed = printedSeed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      var spoilt = bytes
      let isCut = Bool.random(using: &random)
      if isCut {
        spoilt.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      } else {
        spoilt[Int.random(in: 0..<bytes.count, using: &random)] ^=
          1 << UInt8.random(in: 0..<8, using: &random)
      }
      let end = try log(of: spoilt)
      let pages = try pagesThatSQLiteReads()
      let whole = Int64(bytes.count - 32) / (4096 + 24)
      if let end {
        #expect(end.readPages == max(pages, 0), "seed \(seed)")
        #expect(end.bytes > 0 && end.bytes <= Int64(spoilt.count))
      } else if !spoilt.isEmpty {
        // A changed salt hides what follows; a cut between two transactions leaves no trace.
        #expect(pages == whole || isCut || pages < whole, "seed \(seed)")
      }
    }
  }

  @Test func `pages of an earlier generation don't count`() throws {
    let bytes = try make()
    var older = bytes
    let frame = 4096 + 24
    // The pages after the second get another salt, as those have that a newer log hasn't reached.
    for place in stride(from: 32 + 2 * frame, to: older.count, by: frame) {
      older[place + 8] ^= 0xFF
    }
    let end = try log(of: older)
    #expect(try (end?.readPages ?? pagesThatSQLiteReads()) == pagesThatSQLiteReads())
    #expect(end?.isDamaged != true)
  }
}
