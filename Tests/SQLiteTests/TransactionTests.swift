import SQLite
import Testing
import TestSupport

@Suite struct TransactionTests {
  private enum Refusal: Error, Equatable {
    case refused
    case sqlite(SQLiteError)
  }

  @Test func `a body that throws leaves nothing behind`() throws {
    let db = try Connection.memory()
    try db.execute("CREATE TABLE t (a UNIQUE)")
    let error = #expect(throws: SQLiteError.self) {
      try db.transaction { db throws(SQLiteError) in
        try db.execute("INSERT INTO t VALUES (1)")
        let isOpen = db.isInTransaction
        #expect(isOpen)
        try db.execute("INSERT INTO t VALUES (1)")
      }
    }
    #expect(error?.isConstraint == true)
    let isOpen = db.isInTransaction
    #expect(!isOpen)
    #expect(try db.value("SELECT count(*) FROM t") == 0)
  }

  @Test func `a body throws an error of its own, or returns`() throws {
    let db = try Connection.memory()
    try db.execute("CREATE TABLE t (a)")
    #expect(throws: Refusal.refused) {
      try db.transaction(.exclusive, wrapping: Refusal.sqlite) { _ throws(Refusal) in
        throw .refused
      }
    }
    let count = try db.transaction { db throws(SQLiteError) in
      try db.execute("INSERT INTO t VALUES (1)")
      return try db.value("SELECT count(*) FROM t")
    }
    #expect(count == 1)
    let isOpen = db.isInTransaction
    #expect(!isOpen)
  }

  @Test func `a commit that fails is taken back`() throws {
    let db = try Connection.memory()
    try db.set(.foreignKeys, to: true)
    try db.execute(
      """
      CREATE TABLE p (a PRIMARY KEY);
      CREATE TABLE c (a REFERENCES p DEFERRABLE INITIALLY DEFERRED)
      """)
    let error = #expect(throws: SQLiteError.self) {
      try db.transaction { db throws(SQLiteError) in try db.execute("INSERT INTO c VALUES (1)") }
    }
    #expect(error?.message == "FOREIGN KEY constraint failed")
    let isOpen = db.isInTransaction
    #expect(!isOpen)
    #expect(try db.value("SELECT count(*) FROM c") == 0)
  }

  @Test func `a second writer is told that the file is busy`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.db")
    let first = try Connection(path: path, mode: .create)
    try first.execute("CREATE TABLE t (a)")
    let second = try Connection(path: path, mode: .readWrite)
    try first.begin(.exclusive)
    second.setBusyTimeout(.milliseconds(20))
    let error = #expect(throws: SQLiteError.self) { try second.begin() }
    #expect(error?.isBusy == true)
    #expect(
      error?.description
        == "SQLite error 5: database is locked - while executing `BEGIN IMMEDIATE`")
    try first.commit()
    try second.begin()
    try second.rollback()
    try second.rollback()
  }
}
