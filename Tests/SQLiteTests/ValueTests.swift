import SQLite
import Testing

@Suite struct ValueTests {
  @Test func `values are equal by their bits and their storage class`() {
    let values: [Value] = [
      .null, .integer(0), .integer(1), .real(0.0), .real(-0.0), .real(1), .real(.nan),
      .real(.infinity), .text([UInt8]()), .text([0xff]), .text("a"), .blob([]), .blob([0xff]),
      .blob([0x61]),
    ]
    #expect(Set(values).count == values.count)
    for (index, value) in values.enumerated() {
      #expect(values.firstIndex(of: value) == index)
    }
  }

  @Test func `a text that isn't UTF-8 keeps its bytes and reads repaired`() {
    let value = Value.text([0x61, 0xff, 0x62])
    #expect(value.string == "a\u{fffd}b")
    #expect(value.bytes == [0x61, 0xff, 0x62])
  }

  @Test(arguments: [
    Value.null, .integer(.min), .integer(.max), .real(-0.0), .real(.infinity),
    .real(.leastNonzeroMagnitude), .text(""), .text("a\u{0}b"), .text([0xc3, 0x28, 0x00, 0xff]),
    .text("é🙂"), .blob([]), .blob([0, 1, 2, 0xff]), .blob(Array(repeating: 7, count: 100_000)),
  ])
  func `a value comes back from a file bit for bit`(value: Value) throws {
    let db = try Connection.memory()
    try db.execute("CREATE TABLE t (a)")
    try db.execute("INSERT INTO t VALUES (?1)", [value])
    #expect(try db.value("SELECT a FROM t") == value)
    #expect(try db.value("SELECT typeof(a) FROM t") == .text(value.storageClass.rawValue))
  }

  @Test func `NaN is stored as NULL`() throws {
    #expect(try Connection.memory().value("SELECT ?1", [.real(.nan)]) == .null)
  }

  @Test(arguments: [
    ("ZENTITY", #""ZENTITY""#), ("a\"b", #""a""b""#), ("", #""""#),
    ("e\u{301}\"", "\"e\u{301}\"\"\""),
    ("\"\u{301}", "\"\"\"\u{301}\""), ("select", #""select""#),
  ])
  func `a name in quotes names the same table`(name: String, quoted: String) throws {
    #expect(quoteIdentifier(name) == quoted)
    let db = try Connection.memory()
    try db.execute("CREATE TABLE \(quoted) (a)")
    #expect(try db.value("SELECT name FROM sqlite_schema") == .text(name))
  }
}

extension Value: CustomTestStringConvertible {
  public var testDescription: String {
    switch self {
    case .text(let bytes), .blob(let bytes): "\(storageClass) of \(bytes.count) bytes"
    case .null, .integer, .real: "\(self)"
    }
  }
}
