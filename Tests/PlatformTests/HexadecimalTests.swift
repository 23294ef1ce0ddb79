import Platform
import Testing

@Suite struct HexadecimalTests {
  @Test func `encodes in lowercase and decodes either case`() {
    let bytes = Array(UInt8.min ... .max)
    let digits = Hexadecimal.encode(bytes)
    #expect(digits.hasPrefix("000102") && digits.hasSuffix("fdfeff"))
    #expect(Hexadecimal.decode(digits) == bytes)
    #expect(Hexadecimal.decode(digits.uppercased()) == bytes)
    for text in ["0", "0g", "0x", " 0", "é"] { #expect(Hexadecimal.decode(text) == nil) }
  }
}
