import SQLite
import Testing

@Suite struct StatementTests {
  @Test func `a statement runs again with other values`() throws {
    let db = try Connection.memory()
    try db.execute("CREATE TABLE t (a, b)")
    var insert = try db.prepare("INSERT INTO t VALUES (?1, :b)", isPersistent: true)
    #expect(insert.parameterCount == 2)
    let isReading = insert.isReadOnly
    #expect(!isReading)
    for number in 1...3 as ClosedRange<Int64> {
      try insert.bindInt64(number, at: 1)
      try insert.bindText("row \(number)", at: 2)
      try insert.run()
      #expect(db.changes == 1)
    }
    insert.clearBindings()
    try insert.run()
    #expect(
      try db.rows("SELECT * FROM t") == [
        [1, "row 1"], [2, "row 2"], [3, "row 3"], [.null, .null],
      ])
  }

  @Test func `columns know their names, types and bytes`() throws {
    let db = try Connection.memory()
    var query = try db.prepare("SELECT 7 AS i, 0.5 AS r, 'é' AS t, x'00ff' AS b, NULL AS n")
    let isReading = query.isReadOnly
    #expect(isReading)
    #expect(query.columnNames == ["i", "r", "t", "b", "n"])
    #expect(try query.step())
    let types = (0..<query.columnCount).map { query.type(at: $0) }
    #expect(types == [.integer, .real, .text, .blob, .null])
    let counts = (0..<query.columnCount).map { query.byteCount(at: $0) }
    #expect(counts == [0, 0, 2, 2, 0])
    let (integer, real, text) = (query.int64(at: 0), query.double(at: 1), query.string(at: 2))
    #expect(integer == 7 && real == 0.5 && text == "é")
    let number = query.string(at: 0)
    #expect(number == nil)
    let null = query.isNull(at: 4)
    #expect(null)
    #expect(query.bytes(at: 3) == [0, 0xff])
    // Reading the bytes didn't convert the values.
    #expect((0..<query.columnCount).map { query.type(at: $0) } == types)
    #expect(try !query.step())
  }

  @Test func `empty texts and blobs lend no bytes and are not NULL`() throws {
    let db = try Connection.memory()
    var query = try db.prepare("SELECT '', x'', zeroblob(0), ?1, ?2")
    try query.bindText([UInt8]().span, at: 1)
    try query.bindBlob([UInt8]().span, at: 2)
    #expect(try query.step())
    for column in 0..<5 {
      let isEmpty = query.withBytes(at: column) { $0.isEmpty }
      #expect(isEmpty)
    }
    let types = (0..<5).map { query.type(at: $0) }
    #expect(types == [.text, .blob, .blob, .text, .blob])
  }

  @Test func `a column is bound to another statement without a change`() throws {
    let db = try Connection.memory()
    try db.execute("CREATE TABLE a (v); CREATE TABLE b (v)")
    let values: [Value] = [
      .null, .integer(.min), .real(-0.0), .text([0xff, 0x00]), .text(""), .blob([]), .blob([1, 0]),
    ]
    for value in values { try db.execute("INSERT INTO a VALUES (?1)", [value]) }
    var source = try db.prepare("SELECT v FROM a ORDER BY rowid")
    var target = try db.prepare("INSERT INTO b VALUES (?1)")
    while try source.step() {
      try target.bindColumn(of: source, column: 0, at: 1)
      try target.run()
    }
    #expect(try db.rows("SELECT v FROM b ORDER BY rowid") == values.map { [$0] })
  }

  @Test func `a text of a file in UTF-16 is lent in UTF-8`() throws {
    let db = try Connection.memory()
    try db.execute("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (a)")
    try db.execute("INSERT INTO t VALUES ('é🙂')")
    var query = try db.prepare("SELECT a FROM t")
    #expect(try query.step())
    #expect(query.byteCount(at: 0) == 6)
    #expect(query.string(at: 0) == "é🙂")
  }

  @Test func `a statement outlives its connection`() throws {
    func prepared() throws -> Statement {
      let db = try Connection.memory()
      try db.execute("CREATE TABLE t AS SELECT 1 AS a")
      return try db.prepare("SELECT a FROM t")
    }
    var statement = try prepared()
    #expect(try statement.step())
    #expect(statement.int64(at: 0) == 1)
  }

  @Test(arguments: [
    ("", "no statement"), (" -- nothing", "no statement"),
    ("SELECT 1; SELECT 2", "more than one statement"),
    ("SELECT 1\u{0}", "the statement is too long or contains NUL"),
  ])
  func `what is not one statement is refused`(sql: String, message: String) throws {
    let db = try Connection.memory()
    let error = #expect(throws: SQLiteError.self) { _ = try db.prepare(sql) }
    #expect(error?.message == message)
  }

  @Test func `a statement may end with a semicolon and a comment`() throws {
    #expect(try Connection.memory().value("SELECT 1; -- one\n") == 1)
  }

  @Test func `a parameter that isn't there is an error`() throws {
    let db = try Connection.memory()
    let error = #expect(throws: SQLiteError.self) { try db.execute("SELECT ?1", [1, 2]) }
    #expect(error?.code == 25)
  }

  @Test func `a column that isn't there traps`() async {
    await #expect(processExitsWith: .failure) {
      var statement = try Connection.memory().prepare("SELECT 1")
      _ = try statement.step()
      _ = statement.int64(at: 1)
    }
  }

  @Test func `a script of many statements runs to its end`() throws {
    let db = try Connection.memory()
    let inserts = (1...2000).map { "INSERT INTO t VALUES (\($0)); -- \($0)" }
    try db.execute((["CREATE TABLE t (a);"] + inserts).joined(separator: "\n"))
    #expect(try db.value("SELECT sum(a) FROM t") == 2_001_000)
  }
}
