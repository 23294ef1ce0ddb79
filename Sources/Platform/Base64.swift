/// Returns bytes as letters, padded, in one line (RFC 4648 §4).
package func base64Encoded(_ bytes: [UInt8]) -> String {
  String(decoding: Base64.encode(bytes), as: UTF8.self)
}

/// Returns the bytes that letters stand for, or nil if they aren't what ``base64Encoded(_:)``
/// returns.
package func base64Decoded(_ text: String) -> [UInt8]? {
  Base64.decode(Array(text.utf8))
}

/// The coding of bytes as letters, padded, in one line (RFC 4648 §4).
package enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static let invalid: UInt8 = 0xff

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  private static let padding = UInt8(ascii: "=")

  /// Returns the ASCII letters for bytes.
  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    encode(bytes.span)
  }

  /// Returns the ASCII letters for bytes.
  package static func encode(_ bytes: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return text
  }

  /// Adds the ASCII letters for bytes to a text.
  package static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
    let letters = letters
    text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let count = min(3, bytes.count - index)
      let second = count > 1 ? bytes[index + 1] : 0
      let third = count > 2 ? bytes[index + 2] : 0
      let group = Int(bytes[index]) << 16 | Int(second) << 8 | Int(third)
      text.append(letters[group >> 18])
      text.append(letters[group >> 12 & 63])
      text.append(count > 1 ? letters[group >> 6 & 63] : padding)
      text.append(count > 2 ? letters[group & 63] : padding)
      index += 3
    }
  }

  /// Returns the bytes that letters stand for, or nil if they aren't what ``encode(_:)`` returns.
  ///
  /// White space, missing padding and bits behind the last byte are refused.
  package static func decode(_ text: [UInt8]) -> [UInt8]? {
    decode(text.span)
  }

  /// Returns the bytes that letters stand for, or nil if they aren't what ``encode(_:)`` returns.
  package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    let values = values
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var index = 0
    while index < text.count {
      let count = letterCount(text, at: index)
      var group = 0
      for position in 0..<4 {
        let value = position < count ? values[Int(text[index + position])] : 0
        guard value != invalid else { return nil }
        group = group << 6 | Int(value)
      }
      let unused = count == 4 ? 0 : count == 3 ? 0xff : 0xffff
      guard group & unused == 0 else { return nil }
      bytes.append(UInt8(group >> 16))
      if count > 2 { bytes.append(UInt8(group >> 8 & 0xff)) }
      if count > 3 { bytes.append(UInt8(group & 0xff)) }
      index += 4
    }
    return bytes
  }

  /// Returns how many of four characters come before the padding, which only the last four have.
  private static func letterCount(_ text: Span<UInt8>, at index: Int) -> Int {
    guard index + 4 == text.count, text[index + 3] == padding else { return 4 }
    return text[index + 2] == padding ? 2 : 3
  }
}
