import Platform
import SQLite
import StoreAccess
import StoreFormat
import TestSupport
import Testing

@testable import StoreExchange

/// What other runs and apps did just before a run took the store's lock.
@Suite struct ExclusiveStoreTests {
  private let folder: TemporaryDirectory
  private let path: String
  private var files: StoreFiles { StoreFiles(path: path) }

  init() throws {
    folder = try TemporaryDirectory()
    path = try makeStore("V6", rows: 10, in: folder)
  }

  @Test func `a run that was killed since the recovery is found under the lock`() throws {
    let old = try FileSystem.read(path)
    let left = try SnapshotFolder.create(for: files, from: "V6", to: "V7")
    try FileSystem.create(left.file(.header).path, old.prefix(100) + [])
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("PRAGMA journal_mode = DELETE")
    }
    let before = try fingerprint(of: folder)
    let run = Replacement.Run(
      tool: "test", kind: .apply, app: "Lume", from: "V6", to: "V7", foundJournal: nil,
      start: .now)
    let error = #expect(throws: StoreAccessError.self) {
      _ = try Replacement(of: ExclusiveStore.take(files, typed: path), typed: path, by: run)
    }
    #expect(error?.description.contains("in use") == true)
    #expect(try fingerprint(of: folder) == before)
    #expect(try SnapshotFolder.all(of: files) == [left])
    #expect(try Recovery(files: files).finish(typed: path).count == 1)
    #expect(try FileSystem.read(path) == old)
  }

  /// Without the log, an index that counts frames would say that rows are missing.
  @Test(arguments: [false, true])
  func `an empty log stays for an index that came since`(isNew: Bool) throws {
    let index = [UInt8](repeating: 0, count: 32_768)
    if !isNew { try FileSystem.create(path + "-shm", index) }
    let store = try ExclusiveStore.take(files, typed: path)
    #expect(try FileSystem.exists(path + "-wal"))
    if isNew { try FileSystem.create(path + "-shm", index) }
    try store.release()
    #expect(try FileSystem.exists(path + "-wal") == isNew)
  }
}
