import SQLite
import Testing

@Suite struct FunctionTests {
  @Test func `a closure answers from the bytes of its arguments`() throws {
    let db = try Connection.memory()
    try db.register(function: "reversed", argumentCount: 1, isDeterministic: true) { call in
      let reversed = call.withBytes(at: 0) { bytes in bytes.indices.reversed().map { bytes[$0] } }
      call.setText(reversed.span)
    }
    #expect(try db.value("SELECT reversed('abc')") == "cba")
    #expect(try db.value("SELECT reversed(x'00ff')") == .text([0xff, 0x00]))
    #expect(try db.value("SELECT reversed(7)") == "")
    #expect(try db.value("SELECT reversed('')") == "")
  }

  @Test(arguments: [
    Value.null, .integer(.min), .real(-0.0), .text([0xff]), .text(""), .blob([]), .blob([0, 1]),
  ])
  func `arguments come back unchanged, as a whole or copied`(value: Value) throws {
    let db = try Connection.memory()
    try db.register(function: "same", argumentCount: nil, isDeterministic: true) {
      $0.setArgument($0.argumentCount - 1)
    }
    try db.register(function: "copied", argumentCount: 1, isDeterministic: true) {
      $0.set($0.value(at: 0))
    }
    #expect(try db.value("SELECT same(1, 2, ?1)", [value]) == value)
    #expect(try db.value("SELECT copied(?1)", [value]) == value)
  }

  @Test func `a function sees numbers and answers numbers, NULL or nothing`() throws {
    let db = try Connection.memory()
    try db.register(function: "twice", argumentCount: 1, isDeterministic: true) { call in
      switch call.type(at: 0) {
      case .integer: call.setInt64(call.int64(at: 0) * 2)
      case .real: call.setDouble(call.double(at: 0) * 2)
      case .text: call.setNull()
      case .blob, .null: break
      }
    }
    #expect(
      try db.rows("SELECT twice(21), twice(0.25), twice('a'), twice(x'')") == [
        [42, 0.5, .null, .null]
      ])
  }

  @Test func `a function that fails fails the statement`() throws {
    let db = try Connection.memory()
    try db.register(function: "refuse", argumentCount: 0, isDeterministic: false) {
      $0.fail("refused")
    }
    let error = #expect(throws: SQLiteError.self) { try db.execute("SELECT refuse()") }
    #expect(error?.description == "SQLite error 1: refused - while executing `SELECT refuse()`")
  }

  @Test func `the schema of a file can't call a function`() throws {
    let db = try Connection.memory()
    try db.register(function: "mine", argumentCount: 0, isDeterministic: true) { $0.set(1) }
    try db.execute("CREATE VIEW v AS SELECT mine()")
    let error = #expect(throws: SQLiteError.self) { try db.execute("SELECT * FROM v") }
    #expect(error?.message == "unsafe use of mine()")
  }

  @Test func `a closure goes with its connection`() throws {
    final class Witness {}
    weak var witness: Witness?
    do {
      let db = try Connection.memory()
      let kept = Witness()
      witness = kept
      try db.register(function: "f", argumentCount: 0, isDeterministic: true) { call in
        withExtendedLifetime(kept) { call.setNull() }
      }
      try db.execute("SELECT f()")
    }
    #expect(witness == nil)
  }
}
