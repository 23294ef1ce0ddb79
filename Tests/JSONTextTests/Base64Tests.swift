import JSONText
import TestSupport
import Testing

@Suite struct Base64Tests {
  // RFC 4648 §10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `encodes and decodes`(text: String, letters: String) {
    #expect(base64Encoded(Array(text.utf8)) == letters)
    #expect(base64Decoded(letters) == Array(text.utf8))
  }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "=", "====", "Zg==Zg==", "Zm9v\n", " Zm9v", "Zm-_",
    "Z=9v", "Zm=v", "Zm9vé",
  ])
  func `rejects texts that encoding never produces`(letters: String) {
    #expect(base64Decoded(letters) == nil)
  }

  @Test func `agrees with a bit-by-bit implementation`() {
    var random = SeededGenerator(printing: "Base64")
    for _ in 0..<300 {
      let bytes = random.bytes(upTo: 40)
      let letters = base64Encoded(bytes)
      #expect(letters == slowBase64(bytes))
      #expect(base64Decoded(letters) == bytes)
      // A text with one changed letter is invalid, or the only text of other bytes.
      var changed = Array(letters.utf8)
      guard let index = changed.indices.randomElement(using: &random) else { continue }
      changed[index] = UInt8.random(in: 0x20...0x7e, using: &random)
      let text = String(decoding: changed, as: UTF8.self)
      if let other = base64Decoded(text) { #expect(base64Encoded(other) == text) }
    }
  }

  /// Encodes bit by bit, as RFC 4648 defines it.
  private func slowBase64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    while bits.count % 6 != 0 { bits.append(0) }
    var text = ""
    for start in stride(from: 0, to: bits.count, by: 6) {
      text.append(letters[bits[start..<start + 6].reduce(0) { $0 * 2 + Int($1) }])
    }
    while text.count % 4 != 0 { text.append("=") }
    return text
  }
}
