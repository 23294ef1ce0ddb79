import Platform
import SQLite
import Testing
import TestSupport

@Suite struct ConnectionTests {
  @Test(arguments: [
    "plain.db", "a b.db", "a?mode=rwc.db", "a#b.db", "100%.db", "%41.db", "it's \"quoted\".db",
    "new\nline.db", "é🙂.db", "file:x.db", ":memory:", "back\\slash", "a&b=c;d+e",
  ])
  func `any name is the name of a file`(name: String) throws {
    let directory = try TemporaryDirectory()
    for mode in [OpenMode.create, .readWrite, .readOnly, .readOnlyUnshared, .immutable] {
      let db = try Connection(path: directory.path(name), mode: mode)
      if mode == .create { try db.execute("CREATE TABLE t AS SELECT 7 AS a") }
      #expect(try db.value("SELECT a FROM t") == 7)
      #expect(db.isReadOnly == !mode.isWritable)
      let other = try Connection.memory()
      try other.attach(path: directory.path(name), as: "o\"ther", mode: mode)
      #expect(try other.value("SELECT a FROM \"o\"\"ther\".t") == 7)
      try other.detach("o\"ther")
    }
    #expect(try directory.names == [name])
  }

  @Test func `a path with doubled slashes has no host`() throws {
    let directory = try TemporaryDirectory()
    let db = try Connection(path: "//\(directory.path("a.db"))", mode: .create)
    try db.execute("CREATE TABLE t (a)")
    #expect(try directory.names == ["a.db"])
  }

  @Test(arguments: [OpenMode.readOnly, .readOnlyUnshared, .immutable, .readWrite])
  func `only creating creates a file`(mode: OpenMode) throws {
    let directory = try TemporaryDirectory()
    let error = #expect(throws: SQLiteError.self) {
      _ = try Connection(path: directory.path("a.db"), mode: mode)
    }
    #expect(error?.isCantOpen == true)
    #expect(error?.message == "unable to open database file")
    #expect(try directory.names == [])
  }

  @Test(arguments: [OpenMode.readOnly, .immutable, .readWrite, .readWriteAlone])
  func `a file that another one takes the place of has moved`(mode: OpenMode) throws {
    let directory = try TemporaryDirectory()
    for name in ["a", "b"] {
      try Connection(path: directory.path(name), mode: .create).execute("CREATE TABLE t(x)")
    }
    let connection = try Connection(path: directory.path("a"), mode: mode)
    #expect(try !connection.hasMoved("main"))
    try FileSystem.rename(directory.path("b"), to: directory.path("a"))
    #expect(try connection.hasMoved("main"))
    #expect(throws: SQLiteError.self) { try connection.hasMoved("other") }
  }

  @Test(arguments: ["", "a\u{0}b"])
  func `a path that names no file is refused`(path: String) throws {
    let error = #expect(throws: SQLiteError.self) {
      _ = try Connection(path: path, mode: .create)
    }
    #expect(error?.isCantOpen == true)
  }

  @Test func `a file that is no database says so with the first statement`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.db")
    try makeFile(path, Array(repeating: 0x61, count: 4096))
    let db = try Connection(path: path, mode: .readOnlyUnshared)
    let error = #expect(throws: SQLiteError.self) { try db.rows("SELECT * FROM sqlite_schema") }
    #expect(error?.isNotADatabase == true)
  }

  @Test func `a connection starts out careful`() throws {
    let db = try Connection.memory()
    #expect(try db.pragma("cell_size_check") == 1)
    #expect(try db.pragma("trusted_schema") == 0)
    let edit = #expect(throws: SQLiteError.self) {
      try db.execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema")
    }
    #expect(edit?.message == "table sqlite_master may not be modified")
    #expect(try db.pragma("journal_mode = OFF") == "memory")
    let error = #expect(throws: SQLiteError.self) { try db.execute("SELECT \"text\"") }
    #expect(error?.message == "no such column: text")
    try db.set(.defensive, to: false)
    try db.set(.doubleQuotedStrings, to: true)
    #expect(try db.pragma("journal_mode = OFF") == "off")
    #expect(try db.value("SELECT \"text\"") == "text")
  }

  @Test func `triggers and views are left out unless they are asked for`() throws {
    let db = try Connection.memory()
    try db.execute(
      """
      CREATE TABLE t (a); CREATE VIEW v AS SELECT 1 AS a;
      CREATE TRIGGER g AFTER INSERT ON t WHEN new.a < 9 BEGIN INSERT INTO t VALUES (9); END
      """)
    try db.execute("INSERT INTO t VALUES (1)")
    #expect(try db.value("SELECT count(*) FROM t") == 1)
    let error = #expect(throws: SQLiteError.self) { try db.execute("SELECT * FROM v") }
    #expect(error?.message == "access to view \"v\" prohibited")
    try db.set(.triggers, to: true)
    try db.set(.views, to: true)
    try db.execute("INSERT INTO t VALUES (2)")
    #expect(try db.value("SELECT count(*) FROM t") == 3)
    #expect(try db.value("SELECT a FROM v") == 1)
  }

  @Test func `a PRAGMA answers its first value, or NULL`() throws {
    let db = try Connection.memory()
    try db.pragma("user_version = 7")
    #expect(try db.pragma("user_version") == 7)
    #expect(try db.pragma("table_info(none)") == .null)
  }

  @Test func `a damaged page is found and told`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.db")
    do {
      let db = try Connection(path: path, mode: .create)
      try db.execute("CREATE TABLE t (a UNIQUE)")
      for number in 0..<500 as Range<Int64> {
        try db.execute("INSERT INTO t VALUES (?1)", [.integer(number)])
      }
      #expect(try db.integrityCheck() == [])
    }
    try damage(path, at: 3 * 4096)
    let db = try Connection(path: path, mode: .readOnly)
    let findings = try db.integrityCheck()
    #expect(!findings.isEmpty)
    #expect(try db.integrityCheck(limit: 1).count == 1)
  }

  @Test func `damage that ends the search is a finding too`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.db")
    try Connection(path: path, mode: .create).execute("CREATE TABLE t (a UNIQUE)")
    try damage(path, at: 4096)
    let db = try Connection(path: path, mode: .readOnly)
    #expect(try db.integrityCheck().last == "database disk image is malformed")
  }

  @Test func `forgotten pages are read again`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.db")
    func write(_ number: Int64) throws {
      let db = try Connection(path: path, mode: .create)
      try db.execute("CREATE TABLE IF NOT EXISTS t (a); DELETE FROM t")
      try db.execute("INSERT INTO t VALUES (?1)", [.integer(number)])
    }
    try write(1)
    // With exclusive locking, the connection doesn't check whether the file has changed.
    let db = try Connection(path: path, mode: .immutable)
    #expect(try db.value("SELECT a FROM t") == 1)
    try write(2)
    #expect(try db.value("SELECT a FROM t") == 1)
    db.forgetPages()
    #expect(try db.value("SELECT a FROM t") == 2)
  }
}
