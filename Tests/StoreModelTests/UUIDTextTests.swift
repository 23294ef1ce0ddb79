import Foundation
import StoreModel
import TestSupport
import Testing

/// Compares UUID texts with a regular expression and Foundation.
@Suite struct UUIDTextTests {
  /// Returns the text of a UUID, or something similar.
  private func text(_ source: inout SeededGenerator) -> String {
    var characters = Array(UUID().uuidString.utf8)
    if source.number(2) == 0 { characters = Array(UUID().uuidString.lowercased().utf8) }
    let other = Array("0aF-gG/:@`{ ".utf8)
    switch source.number(4) {
    case 0: characters.remove(at: Int(source.number(36)))
    case 1: characters[Int(source.number(36))] = other[Int(source.number(UInt64(other.count)))]
    case 2: characters.insert(UInt8(ascii: "-"), at: Int(source.number(37)))
    default: break
    }
    return String(decoding: characters, as: UTF8.self)
  }

  @Test func `what spells a UUID has its form, and Foundation's bytes`() {
    let seed = printedSeed()
    var source = SeededGenerator(seed: seed)
    var (spelt, others) = (0, 0)
    for _ in 0..<4_000 {
      let text = self.text(&source)
      // Foundation accepts more, such as spaces in place of digits.
      let hex = "[0-9A-Fa-f]"
      let form = "^\(hex){8}-(\(hex){4}-){3}\(hex){12}$"
      let isForm = text.range(of: form, options: .regularExpression) != nil
      let uuid = isForm ? UUID(uuidString: text) : nil
      let bytes = uuid.map { uuid in withUnsafeBytes(of: uuid.uuid) { Array($0) } }
      let characters = Array(text.utf8)
      let isIt = isUUID(characters.span)
      #expect(isIt == (uuid != nil), "seed \(seed): \(text)")
      #expect(uuidBytes(text) == bytes, "seed \(seed): \(text)")
      var expected = bytes ?? Array(repeating: 0, count: 16)
      let isSame = isUUID(characters.span, of: expected.span)
      #expect(isSame == (bytes != nil), "seed \(seed): \(text)")
      expected[Int(source.number(16))] ^= UInt8(1 + source.number(255))
      let isAnother = isUUID(characters.span, of: expected.span)
      #expect(!isAnother, "seed \(seed): \(text)")
      if isIt { spelt += 1 } else { others += 1 }
    }
    #expect(spelt > 1_000 && others > 1_000)
    let short: [UInt8] = [1, 2]
    let uuid = Array(UUID().uuidString.utf8)
    let isShort = isUUID(uuid.span, of: short.span)
    #expect(!isShort)
  }
}
