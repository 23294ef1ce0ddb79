extension JSONReader {
  /// Reads a string, including both quotes, and resolves escapes.
  mutating func string() throws(JSONError) -> String {
    advance(to: index + 1)
    var text: [UInt8] = []
    var start = index
    while true {
      skipPlainBytes()
      guard index < bytes.count else { throw error(.expected("'\"'", found: nil)) }
      switch bytes[index] {
      case UInt8(ascii: "\""):
        let rest = bytes[start..<index]
        advance(to: index + 1)
        return String(decoding: text.isEmpty ? rest : (text + rest)[...], as: UTF8.self)
      case UInt8(ascii: "\\"):
        text += bytes[start..<index]
        try appendEscape(to: &text)
        start = index
      case 0..<0x20:
        throw error(.controlCharacter(bytes[index]))
      default:
        let length = bytes.span.lengthOfUTF8Sequence(at: index)
        if length == 0 { throw error(.invalidUTF8) }
        advance(to: index + length)
      }
    }
  }

  private mutating func appendEscape(to text: inout [UInt8]) throws(JSONError) {
    let length = bytes.span.lengthOfEscape(at: index)
    guard length > 0 else { throw error(.invalidEscape) }
    if length == 6 {
      try text.append(contentsOf: Array(String(escapedScalar()).utf8))
      return
    }
    switch bytes[index + 1] {
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case let itself: text.append(itself)
    }
    advance(to: index + length)
  }

  /// Reads `\uXXXX`, or a surrogate pair of them.
  private mutating func escapedScalar() throws(JSONError) -> Character {
    let unit = codeUnit(at: index)
    if let scalar = Unicode.Scalar(unit) {
      advance(to: index + 6)
      return Character(scalar)
    }
    let next = index + 6
    guard unit < 0xDC00, next < bytes.count, bytes[next] == UInt8(ascii: "\\"),
      bytes.span.lengthOfEscape(at: next) == 6,
      case let low = codeUnit(at: next), low & 0xFC00 == 0xDC00,
      let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(low) & 0x3FF)
    else { throw error(.unpairedSurrogate) }
    advance(to: index + 12)
    return Character(scalar)
  }

  /// Returns the code unit of the `\uXXXX` at an index.
  private func codeUnit(at index: Int) -> UInt16 {
    bytes[index + 2..<index + 6].reduce(0) { unit, digit in
      unit << 4 | UInt16(digit.isDigit ? digit & 0x0F : digit & 0x0F + 9)
    }
  }
}
