import StoreProof
import TestSupport
import Testing

/// What white space a payload has more than its metadata, beside a count byte by byte.
@Suite struct WhitespaceTests {
  private func slowly(_ text: [UInt8], beyond compact: [UInt8]) -> Int? {
    var (place, isInString, isEscaped) = (0, false, false)
    for byte in text {
      if !isInString, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { continue }
      guard place < compact.count, compact[place] == byte else { return nil }
      place += 1
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = isInString
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      }
    }
    return place == compact.count ? text.count - compact.count : nil
  }

  /// Strings and other things of random lengths, with white space that counts and that doesn't, some of it cut
  /// short.
  private func text(_ source: inout SeededGenerator) -> [UInt8] {
    var text: [UInt8] = []
    for _ in 0..<1 + source.number(12) {
      let isString = source.number(2) == 0
      if isString { text.append(UInt8(ascii: "\"")) }
      let letters = Array((isString ? "ab \\\\\\\"\tü" : "12:,{}[] \n").utf8)
      for _ in 0..<source.number(30) {
        let letter = letters[Int(source.number(UInt64(letters.count)))]
        text += letter == UInt8(ascii: "\"") && isString ? [UInt8(ascii: "\\"), letter] : [letter]
      }
      if isString { text.append(UInt8(ascii: "\"")) }
    }
    return source.number(4) == 0 ? Array(text.prefix(Int(source.number(80)))) : text
  }

  /// The text without some white space, and sometimes with another byte somewhere.
  private func compact(_ text: [UInt8], _ source: inout SeededGenerator) -> [UInt8] {
    var (compact, isInString, isEscaped): ([UInt8], Bool, Bool) = ([], false, false)
    for byte in text {
      if isInString || ![0x20, 0x0A].contains(byte) { compact.append(byte) }
      if !isEscaped && byte == UInt8(ascii: "\"") { isInString.toggle() }
      isEscaped = isInString && !isEscaped && byte == UInt8(ascii: "\\")
    }
    if source.number(3) == 0, !compact.isEmpty {
      compact[Int(source.number(UInt64(compact.count)))] ^= UInt8(1 << source.number(7))
    }
    if source.number(8) == 0 { compact.append(UInt8(ascii: "x")) }
    return compact
  }

  @Test func `white space is told from what counts as byte by byte`() {
    let seed = printedSeed(below: 100_000)
    var source = SeededGenerator(seed: seed)
    var (equal, others) = (0, 0)
    for _ in 0..<5_000 {
      let text = self.text(&source)
      let compact = self.compact(text, &source)
      let expected = slowly(text, beyond: compact)
      let found = text.span.whitespaceBeyond(compact.span)
      #expect(found == expected, "seed \(seed)")
      if expected == nil { others += 1 } else { equal += 1 }
    }
    #expect(equal > 1_000 && others > 1_000)
  }
}
