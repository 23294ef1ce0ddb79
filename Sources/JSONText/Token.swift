/// The kinds of tokens, one bit each, so that a mask represents a set.
enum Token {
  static let quote: UInt8 = 1
  static let number: UInt8 = 2
  static let word: UInt8 = 4
  static let open: UInt8 = 8
  static let closeObject: UInt8 = 16
  static let closeArray: UInt8 = 32
  static let comma: UInt8 = 64
  static let colon: UInt8 = 128

  static let value = quote | number | word | open

  /// Returns the kind of the token that a byte starts; 0 for whitespace and invalid bytes.
  @inline(__always)
  static func of(_ byte: UInt8) -> UInt8 { classes[Int(byte)] }

  /// The kinds of all bytes, sixteen in a row.
  private static let classes: InlineArray<256, UInt8> = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 2, 0, 0,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 128, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 32, 0, 0,
    0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4, 0,
    0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 8, 0, 16, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  ]
}

extension UInt8 {
  /// Whether the byte is JSON whitespace.
  @inline(__always)
  var isJSONWhitespace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  /// Whether the byte is an ASCII digit.
  @inline(__always)
  var isDigit: Bool { self &- 0x30 < 10 }

  /// Whether the byte is a hexadecimal digit, in either case.
  @inline(__always)
  var isHexDigit: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }

  /// Whether the byte continues a UTF-8 sequence.
  @inline(__always)
  var isUTF8Continuation: Bool { self & 0xC0 == 0x80 }
}
