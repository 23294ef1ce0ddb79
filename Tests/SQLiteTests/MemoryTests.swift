import SQLite
import TestSupport
import Testing

@Suite struct MemoryTests {
  @Test func `little is remembered of files that are read once`() throws {
    let directory = try TemporaryDirectory()
    let db = try Connection(path: directory.path("a.db"), mode: .create)
    try db.keepLittleInMemory()
    #expect(try db.pragma("cache_size") == -512)
    #expect(try db.pragma("temp_store") == 1)
    try db.execute("CREATE TABLE t (a)")
    try db.attach(path: directory.path("b.db"), as: "other", mode: .create)
    #expect(try db.pragma("other.cache_size") == -512)
  }

  @Test(arguments: [(0, 5_000, 512), (64_000_000, 5_000, 1_953), (64_000_000, 700, 700)])
  func `of indexes as much as they may have`(bytes: Int64, limit: Int64, size: Int64) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.db")
    let db = try Connection(path: path, mode: .create)
    try db.execute("CREATE TABLE t (a)")
    try db.execute("INSERT INTO t VALUES (zeroblob(?1))", [.integer(bytes)])
    let reader = try Connection(path: path, mode: .readOnly)
    try reader.rememberIndexes("main", asLargeAs: "main", limit: limit)
    let remembered = try #require(try reader.pragma("cache_size").int64)
    // The file has some more pages than those of its value.
    #expect(-remembered >= size && -remembered <= size + 5)
    #expect(try reader.integrityCheck().isEmpty)
    #expect(try reader.pragma("cache_size").int64 == remembered)
  }
}
