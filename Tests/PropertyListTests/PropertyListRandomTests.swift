import PropertyList
import TestSupport
import Testing

@Suite struct PropertyListRandomTests {
  @Test(arguments: (0..<300).map { UInt64($0) })
  func `what is written is read`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let value = PropertyList.random(depth: 5, using: &generator)
    let binary = value.binary()
    #expect(try PropertyList(binary: binary) == value, "seed \(seed)")
    #expect(try PropertyList(binary: binary).binary() == binary, "seed \(seed)")
  }

  @Test(arguments: (0..<40).map { UInt64($0) })
  func `a damaged list gives a value or an error, and a value can be written`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let whole =
      seed < 20 ? bytes(metadata) : PropertyList.random(depth: 5, using: &generator).binary()
    var outcomes = (values: 0, errors: 0)
    for _ in 0..<60 {
      var damaged = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) { damaged.damage(using: &generator) }
      do {
        let value = try PropertyList(binary: damaged, budget: 100_000)
        // NaN isn't equal to itself, so compare the bytes.
        let written = value.binary()
        #expect(try PropertyList(binary: written).binary() == written, "seed \(seed)")
        outcomes.values += 1
      } catch {
        #expect(0...damaged.count ~= error.offset, "seed \(seed)")
        outcomes.errors += 1
      }
    }
    #expect(outcomes.values + outcomes.errors == 60)
  }
}

extension PropertyList {
  fileprivate static func random(
    depth: Int, using generator: inout SeededGenerator
  ) -> PropertyList {
    func upTo(_ limit: Int) -> Int { Int.random(in: 0...limit, using: &generator) }
    func bits() -> UInt64 { UInt64.random(in: 0...(.max), using: &generator) >> upTo(63) }
    switch upTo(depth > 1 ? 13 : 9) {
    case 0: return .boolean(Bool.random(using: &generator))
    case 1: return .integer(Int64(bitPattern: bits()))
    case 2: return .unsigned(.max - bits() / 4)
    case 3: return .real(Double.random(in: -1e9...1e9, using: &generator))
    case 4: return .float(Float.random(in: -1e9...1e9, using: &generator))
    case 5: return .date(Double.random(in: -1e9...1e9, using: &generator))
    case 6: return .data((0..<upTo(40)).map { _ in UInt8(truncatingIfNeeded: bits()) })
    case 7: return .string(text(using: &generator))
    case 8: return .uid(bits())
    case 9: return .null
    case 10:
      return .set((0..<upTo(20)).map { _ in random(depth: depth - 1, using: &generator) })
    case 11, 12:
      return .array((0..<upTo(20)).map { _ in random(depth: depth - 1, using: &generator) })
    default:
      let entries = (0..<upTo(20)).map { _ in
        (text(using: &generator), random(depth: depth - 1, using: &generator))
      }
      return .dictionary(Dictionary(entries) { first, _ in first })
    }
  }

  private static func text(using generator: inout SeededGenerator) -> String {
    let alphabet: [Character] = [
      "a", "b", "\u{e9}", "e\u{301}", "\u{1F600}", "\u{0}", "$", "\u{FFFF}",
    ]
    let asciiOnly = Bool.random(using: &generator)
    let count = Int.random(in: 0...20, using: &generator)
    return String(
      (0..<count).map { _ in
        asciiOnly ? "x" : alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      })
  }
}

extension [UInt8] {
  fileprivate mutating func damage(using generator: inout SeededGenerator) {
    let index = Int.random(in: 0..<count, using: &generator)
    switch Int.random(in: 0...3, using: &generator) {
    case 0: self[index] = UInt8.random(in: 0...255, using: &generator)
    case 1: self[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
    case 2: self[index] &+= 1
    default: swapAt(index, Int.random(in: 0..<count, using: &generator))
    }
  }
}
