import SQLite
import Testing

@Suite struct SQLiteErrorTests {
  @Test func `an error describes its code, SQLite's message and the statement`() {
    let error = SQLiteError(code: 5, message: "database is locked", sql: "BEGIN")
    #expect(
      error.description == "SQLite error 5: database is locked - while executing `BEGIN`")
    #expect(SQLiteError(code: 26).description == "SQLite error 26: file is not a database")
  }

  @Test(
    arguments: [
      (5, "busy"), (6, "busy"), (261, "busy"), (26, "not a database"), (11, "corrupt"),
      (267, "corrupt"), (10, "I/O"), (266, "I/O"), (13, "full"), (8, "read-only"),
      (776, "read-only"), (14, "can't open"), (18, "too big"), (19, "constraint"),
      (2067, "constraint"),
    ] as [(Int32, String)])
  func `an extended code counts as the code it details`(code: Int32, answer: String) {
    let error = SQLiteError(code: code)
    let answers = [
      "busy": error.isBusy, "not a database": error.isNotADatabase, "corrupt": error.isCorrupt,
      "I/O": error.isIO, "full": error.isFull, "read-only": error.isReadOnly,
      "can't open": error.isCantOpen, "too big": error.isTooBig,
      "constraint": error.isConstraint,
    ]
    #expect(answers.filter(\.value).keys.sorted() == [answer])
  }

  @Test func `a failing statement is named without the values bound to it`() throws {
    let db = try Connection.memory()
    try db.execute("CREATE TABLE t (a UNIQUE)")
    let insert = "INSERT INTO t VALUES (?1)"
    try db.execute(insert, ["secret"])
    let error = #expect(throws: SQLiteError.self) { try db.execute(insert, ["secret"]) }
    #expect(error?.code == 2067)
    #expect(
      error?.description
        == "SQLite error 2067: UNIQUE constraint failed: t.a - while executing `\(insert)`")
  }

  @Test func `a mistake in a script is told with the rest of the script only`() throws {
    let db = try Connection.memory()
    let error = #expect(throws: SQLiteError.self) {
      try db.execute("CREATE TABLE t (a); SELECT 1; SELEC 2; SELECT 3")
    }
    #expect(
      error?.description
        == "SQLite error 1: near \"SELEC\": syntax error - while executing ` SELEC 2; SELECT 3`")
    #expect(try db.value("SELECT count(*) FROM t") == 0)
  }
}
