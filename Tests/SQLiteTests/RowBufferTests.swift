import SQLite
import Testing
import TestSupport

@Suite struct RowBufferTests {
  /// The documented serialization, value by value.
  private func slowly(_ values: [Value]) -> [UInt8] {
    func header(_ type: UInt8, _ number: UInt64) -> [UInt8] {
      [type] + (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    return values.flatMap { value -> [UInt8] in
      switch value {
      case .null: [0]
      case .integer(let number): header(1, UInt64(bitPattern: number))
      case .real(let number): header(2, number.bitPattern)
      case .text(let bytes): header(3, UInt64(bytes.count)) + bytes
      case .blob(let bytes): header(4, UInt64(bytes.count)) + bytes
      }
    }
  }

  private func random(_ source: inout some RandomNumberGenerator) -> Value {
    func bytes() -> [UInt8] {
      let longest = [0, 9, 700, 16_384, 16_385, 70_000].randomElement(using: &source) ?? 0
      return (0..<longest).map { _ in UInt8.random(in: 0 ... .max, using: &source) }
    }
    switch Int.random(in: 0..<5, using: &source) {
    case 0: return .null
    case 1: return .integer(.random(in: .min ... .max, using: &source))
    case 2: return .real(.random(in: -1e300...1e300, using: &source))
    case 3: return .text(bytes())
    default: return .blob(bytes())
    }
  }

  @Test func `values have the form that is documented, however long they are`() throws {
    let seed = printedSeed()
    var source = SeededGenerator(seed: seed)
    let values = (0..<300).map { _ in random(&source) }
    let db = try Connection.memory()
    try db.execute("CREATE TABLE t (v)")
    for value in values { try db.execute("INSERT INTO t VALUES (?1)", [value]) }
    var rows = try db.prepare("SELECT v FROM t ORDER BY rowid")
    var buffer = RowBuffer()
    var found: [UInt8] = []
    func take(_ bytes: Span<UInt8>) { for index in bytes.indices { found.append(bytes[index]) } }
    while try rows.step() { buffer.append(rows, columns: [0], take) }
    buffer.empty(take)
    #expect(found == slowly(values), "seed \(seed)")
  }

  @Test func `a value is compared with a column by storage class and bits`() throws {
    let values: [Value] = [
      .null, .integer(0), .integer(1), .real(0), .real(-0.0), .real(1), .text(""), .blob([]),
      .text("a"), .blob([97]), .text("ab"),
    ]
    let db = try Connection.memory()
    var row = try db.prepare("SELECT ?1")
    for stored in values {
      try row.bind([stored])
      #expect(try row.step())
      for value in values {
        let isHeld = row.holds(at: 0, value)
        #expect(isHeld == (stored == value), "\(stored) \(value)")
      }
      try row.run()
    }
  }
}
