import Platform
import Testing

@Suite struct CodingTests {
  // RFC 4648 §10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `bytes become letters and bytes again`(text: String, letters: String) {
    #expect(base64Encoded(Array(text.utf8)) == letters)
    #expect(base64Decoded(letters) == Array(text.utf8))
  }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "=", "====", "Zg==Zg==", "Zm9v\n", " Zm9v", "Zm-_",
    "Z=9v", "Zm=v", "Zm9vé",
  ])
  func `letters that encoding never makes are refused`(letters: String) {
    #expect(base64Decoded(letters) == nil)
  }

  @Test func `Base64 agrees with counting bits`() {
    var random = SeededRandom(printing: "Base64")
    for _ in 0..<300 {
      let bytes = random.bytes(upTo: 40)
      let letters = base64Encoded(bytes)
      #expect(letters == obviousBase64(bytes))
      #expect(base64Decoded(letters) == bytes)
      // One letter changed is refused or is another text's only spelling.
      var changed = Array(letters.utf8)
      guard let index = changed.indices.randomElement(using: &random) else { continue }
      changed[index] = UInt8.random(in: 0x20...0x7e, using: &random)
      if let other = Base64.decode(changed) { #expect(Base64.encode(other) == changed) }
    }
  }

  @Test func `hexadecimal digits stand for bytes in either case`() {
    let bytes = Array(UInt8.min ... .max)
    let digits = Hexadecimal.encode(bytes)
    #expect(digits.hasPrefix("000102") && digits.hasSuffix("fdfeff"))
    #expect(Hexadecimal.decode(digits) == bytes)
    #expect(Hexadecimal.decode(digits.uppercased()) == bytes)
    for text in ["0", "0g", "0x", " 0", "é"] { #expect(Hexadecimal.decode(text) == nil) }
  }

  /// The definition, bit by bit.
  private func obviousBase64(_ bytes: [UInt8]) -> String {
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
