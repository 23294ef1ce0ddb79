import Platform
import SQLite
import Testing
import TestSupport

@Suite struct UnsharedReadingTests {
  @Test func `a WAL is read and nothing is left or changed`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.db")
    try makeStoreWithWAL(path, in: directory)
    let before = try pictures(in: directory.path)
    do {
      let db = try Connection(path: path, mode: .readOnlyUnshared)
      #expect(try db.value("SELECT count(*) FROM t") == 2)
      #expect(try directory.names == ["a.db", "a.db-wal"])
      let error = #expect(throws: SQLiteError.self) { try db.execute("INSERT INTO t VALUES (3)") }
      #expect(error?.isReadOnly == true)
    }
    #expect(try pictures(in: directory.path) == before)
  }

  @Test func `a WAL without frames stays where it is`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.db")
    try makeStoreWithWAL(path, in: directory)
    try Connection(path: path, mode: .readWrite).walCheckpointTruncate()
    try makeFile(path + "-wal", [])
    let before = try pictures(in: directory.path)
    #expect(
      try Connection(path: path, mode: .readOnlyUnshared).value("SELECT count(*) FROM t") == 2)
    #expect(try pictures(in: directory.path) == before)
  }

  @Test(arguments: [OpenMode.readOnly, .readOnlyUnshared, .immutable])
  func `a WAL that is folded in already stays when the last reader goes`(mode: OpenMode) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.db")
    try makeStoreWithWAL(path, in: directory)
    do {
      let db = try Connection(path: path, mode: .readWrite)
      try db.set(.noCheckpointOnClose, to: true)
      try db.pragma("wal_checkpoint(PASSIVE)")
    }
    try FileSystem.removeIfPresent(path + "-shm")
    let before = try pictures(in: directory.path)
    #expect(before.map(\.name) == ["a.db", "a.db-wal"])
    #expect(try Connection(path: path, mode: mode).value("SELECT count(*) FROM t") == 2)
    #expect(try pictures(in: directory.path).filter { $0.name != "a.db-shm" } == before)
  }

  @Test func `a file in WAL mode without a WAL gets none, not even for a moment`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.db")
    try makeStoreWithWAL(path, in: directory)
    try Connection(path: path, mode: .readWrite).walCheckpointTruncate()
    #expect(try directory.names == ["a.db"])
    let before = try pictures(in: directory.path)
    let folder = try FileStatus(of: directory.path)
    let db = try Connection(path: path, mode: .readOnlyUnshared)
    #expect(try db.value("SELECT count(*) FROM t") == 2)
    #expect(try directory.names == ["a.db"])
    #expect(try pictures(in: directory.path) == before)
    #expect(try FileStatus(of: directory.path) == folder)
  }

  @Test func `the WAL beside the target of a symbolic link is read`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.db")
    try makeStoreWithWAL(path, in: directory)
    try FileSystem.symbolicLink(directory.path("link"), to: "a.db")
    let before = try pictures(in: directory.path)
    let db = try Connection(path: directory.path("link"), mode: .readOnlyUnshared)
    #expect(try db.value("SELECT count(*) FROM t") == 2)
    #expect(try pictures(in: directory.path) == before)
  }

  @Test func `a journal to be rolled back is an error and stays`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.db")
    try makeStoreWithHotJournal(path, in: directory)
    let before = try pictures(in: directory.path)
    let db = try Connection(path: path, mode: .readOnlyUnshared)
    let error = #expect(throws: SQLiteError.self) { try db.value("SELECT count(*) FROM t") }
    #expect(error?.isReadOnly == true || error?.isCantOpen == true)
    #expect(try pictures(in: directory.path) == before)
  }

  @Test(arguments: ["-journal", "-wal"])
  func `an empty file reads as no tables, and what stands beside it stays`(suffix: String) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.db")
    try makeFile(path, [])
    try makeFile(path + suffix, Array(repeating: 0x5a, count: 2000))
    let before = try pictures(in: directory.path)
    let query = "SELECT count(*) FROM sqlite_schema"
    #expect(try Connection(path: path, mode: .readOnlyUnshared).value(query) == 0)
    #expect(try pictures(in: directory.path) == before)
  }

  @Test func `an attached WAL is read and left as well`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.db")
    try makeStoreWithWAL(path, in: directory)
    let before = try pictures(in: directory.path)
    do {
      let db = try Connection.memory()
      try db.attach(path: path, as: "old", mode: .readOnlyUnshared)
      #expect(try db.value("SELECT count(*) FROM old.t") == 2)
    }
    #expect(try pictures(in: directory.path) == before)
  }

  @Test func `real stores with a WAL are read whole and left alone`() throws {
    for folder in RealStores.folders {
      for wal in folder.files where wal.hasSuffix("-wal") {
        try readWhole(String(wal.dropLast(4)), in: folder.path)
      }
    }
  }

  private func readWhole(_ store: String, in folder: String) throws {
    let directory = try TemporaryDirectory()
    for name in [store, store + "-wal"] {
      try FileSystem.copy("\(folder)/\(name)", to: directory.path(name))
    }
    let before = try pictures(in: directory.path)
    #expect(before.count == 2)
    do {
      let db = try Connection(path: directory.path(store), mode: .readOnlyUnshared)
      #expect(try db.integrityCheck() == [])
      let tables = try db.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
      #expect(!tables.isEmpty)
      for table in tables.compactMap({ $0.first?.string }) {
        _ = try db.rows("SELECT * FROM \(quoteIdentifier(table))")
      }
      #expect(try directory.names == [store, store + "-wal"])
    }
    #expect(try pictures(in: directory.path) == before)
  }
}

/// Creates a database with two rows, one of them only in the WAL, like a process that ends without
/// closing.
private func makeStoreWithWAL(_ path: String, in directory: TemporaryDirectory) throws {
  let original = directory.path("original.db")
  do {
    let db = try Connection(path: original, mode: .create)
    try db.pragma("journal_mode = WAL")
    try db.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    try db.walCheckpointTruncate()
    try db.execute("INSERT INTO t VALUES (2)")
    try FileSystem.copy(original, to: path)
    try FileSystem.copy(original + "-wal", to: path + "-wal")
  }
  try FileSystem.remove(original)
}

/// Creates a database with a hot journal.
private func makeStoreWithHotJournal(_ path: String, in directory: TemporaryDirectory) throws {
  let original = directory.path("original.db")
  do {
    let db = try Connection(path: original, mode: .create)
    try db.execute("PRAGMA cache_size = 1; CREATE TABLE t (a)")
    try db.execute("INSERT INTO t VALUES (zeroblob(20000))")
    try db.begin(.exclusive)
    // The transaction exceeds the cache, so SQLite syncs the journal and writes to the file.
    try db.execute("UPDATE t SET a = randomblob(20000)")
    try db.execute("INSERT INTO t SELECT randomblob(20000) FROM t")
    try db.execute("INSERT INTO t SELECT randomblob(20000) FROM t")
    try FileSystem.copy(original, to: path)
    try FileSystem.copy(original + "-journal", to: path + "-journal")
    try db.rollback()
  }
  try FileSystem.remove(original)
}
