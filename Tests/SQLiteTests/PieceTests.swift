import Platform
import SQLite
import TestSupport
import Testing

/// Compares files read and written in pieces with files read and written page by page.
@Suite struct PieceTests {
  /// Returns statements that write to all of a database and read it, some in transactions that roll
  /// back.
  private func statements(_ source: inout SeededGenerator) -> [String] {
    var statements = ["BEGIN"]
    for _ in 0..<source.number(60) {
      let (key, count) = (source.number(2_000), 1 + source.number(300))
      let size = [10, 400, 3_000, 90_000][Int(source.number(count < 30 ? 4 : 3))]
      statements.append(
        [
          """
          WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
          INSERT INTO t (name, body) SELECT hex(\(key) * 7919 + i * i % 1009), zeroblob(\(size)) FROM n
          """,
          "DELETE FROM t WHERE id % 11 = \(key % 11)",
          "UPDATE t SET body = name || body, name = name || 'x' WHERE id BETWEEN \(key) AND \(key + 40)",
          "UPDATE u SET n = n + 1 WHERE n % 7 = \(key % 7)",
          "INSERT INTO u SELECT id, length(body) FROM t ORDER BY name LIMIT 200",
        ][Int(source.number(5))])
    }
    return statements + [source.number(4) == 0 ? "ROLLBACK" : "COMMIT"]
  }

  private func prepare(_ db: borrowing Connection, pageSize: Int) throws {
    try db.execute(
      """
      PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = 2; PRAGMA synchronous = OFF;
      PRAGMA journal_mode = MEMORY; PRAGMA cache_size = 20; PRAGMA temp_store = FILE;
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, body BLOB); CREATE INDEX name ON t (name);
      CREATE TABLE u (id, n)
      """)
    #expect(try db.pragma("page_size") == .integer(Int64(pageSize)))
  }

  @Test(arguments: [512, 1_024, 65_536])
  func `a file written in pieces has the bytes of one written by pages`(pageSize: Int) throws {
    let seed = printedSeed()
    var source = SeededGenerator(seed: seed)
    let folder = try TemporaryDirectory()
    for name in ["pieces", "pages"] { try makeFile(folder.path(name), []) }
    let pieces = try Connection(path: folder.path("pieces"), mode: .readWriteAlone)
    let pages = try Connection(path: folder.path("pages"), mode: .readWrite)
    try prepare(pieces, pageSize: pageSize)
    try prepare(pages, pageSize: pageSize)
    for _ in 0..<(pageSize > 4_096 ? 4 : 12) {
      for sql in statements(&source) {
        try pieces.execute(sql)
        try pages.execute(sql)
        let (found, expected) = (try sum(pieces), try sum(pages))
        #expect(found == expected, "seed \(seed): \(sql)")
      }
      let written = try FileSystem.read(folder.path("pieces"))
      #expect(try written == FileSystem.read(folder.path("pages")), "seed \(seed)")
    }
    try pieces.execute("PRAGMA incremental_vacuum; VACUUM")
    try pages.execute("PRAGMA incremental_vacuum; VACUUM")
    let written = try FileSystem.read(folder.path("pieces"))
    #expect(try written == FileSystem.read(folder.path("pages")), "seed \(seed)")
  }

  private func sum(_ db: borrowing Connection) throws -> [[Value]] {
    try db.rows(
      """
      SELECT count(*), total(length(name)), total(length(body)), max(name) FROM t NOT INDEXED
      UNION ALL SELECT count(*), total(n), 0, 0 FROM u
      """)
  }

  @Test(arguments: [512, 4_096, 65_536])
  func `what is read ahead is what the file has, wherever reads go`(pageSize: Int) throws {
    let seed = printedSeed()
    var source = SeededGenerator(seed: seed)
    let folder = try TemporaryDirectory()
    let path = folder.path("a.db")
    do {
      let db = try Connection(path: path, mode: .create)
      try prepare(db, pageSize: pageSize)
      for sql in statements(&source) + ["BEGIN"] + statements(&source).dropFirst() {
        try db.execute(sql)
      }
    }
    let slow = try Connection(path: path, mode: .readOnly)
    let ahead = try Connection(path: path, mode: .immutable)
    // A connection with an exclusive lock reads ahead, too.
    let locked = try Connection(path: folder.path("b.db"), mode: .create)
    try locked.copyPages(of: slow)
    try locked.execute(
      "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT; PRAGMA cache_size = 12")
    try ahead.execute("PRAGMA cache_size = 12")
    for _ in 0..<40 {
      let key = source.number(2_000)
      let sql = [
        "SELECT id, name, body FROM t ORDER BY id", "SELECT id, name, body FROM t ORDER BY id DESC",
        "SELECT id, body FROM t ORDER BY name LIMIT 100", "SELECT * FROM t WHERE id = \(key)",
        "SELECT id, body FROM t WHERE id > \(key) ORDER BY id DESC LIMIT 60",
        "PRAGMA integrity_check", "SELECT * FROM u ORDER BY rowid DESC",
      ][Int(source.number(7))]
      let expected = try slow.rows(sql)
      #expect(try ahead.rows(sql) == expected, "seed \(seed): \(sql)")
      #expect(try locked.rows(sql) == expected, "seed \(seed): \(sql)")
      // After a write, a connection doesn't use pages that it read ahead before.
      let before = try slow.value("SELECT total(n) FROM u")
      let written = try locked.value(
        "SELECT total(n) + count(*) FROM u WHERE rowid % 50 = \(key % 50)")
      try locked.execute("UPDATE u SET n = n + 1 WHERE rowid % 50 = \(key % 50)")
      let part = "SELECT total(n) FROM u WHERE rowid % 50 = \(key % 50)"
      #expect(try locked.value(part) == written, "seed \(seed)")
      try locked.execute("UPDATE u SET n = n - 1 WHERE rowid % 50 = \(key % 50)")
      #expect(try locked.value("SELECT total(n) FROM u") == before, "seed \(seed)")
    }
  }

  @Test func `pages that are forgotten are read from the file`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("a.db")
    do {
      let db = try Connection(path: path, mode: .create)
      try db.execute(
        """
        CREATE TABLE t (v TEXT);
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO t SELECT 'the same text in each of these rows' FROM n
        """)
    }
    let db = try Connection(path: path, mode: .immutable)
    let count = "SELECT count(*) FROM t WHERE v LIKE '%the same text%'"
    #expect(try db.value(count) == .integer(2_000))
    var bytes = try FileSystem.read(path)
    let last = bytes.count - 4_096
    let word = Array("text".utf8)
    for index in last..<bytes.count - 4 where Array(bytes[index..<index + 4]) == word {
      bytes[index] += 1
    }
    let file = try FileDescriptor(opening: path, for: .updating)
    try file.write(Array(bytes[last...]), at: Int64(last))
    #expect(try db.value(count) == .integer(2_000))
    db.forgetPages()
    let found = try #require(db.value(count)?.int64)
    #expect(found < 2_000)
  }
}
