/// Returns the Base64 text of bytes, padded, without line breaks (RFC 4648 §4).
package func base64Encoded(_ bytes: [UInt8]) -> String {
  var text = [UInt8](repeating: 0, count: Base64.encodedCount(bytes.count))
  var output = text.mutableSpan
  Base64.encode(bytes.span, into: &output)
  return String(decoding: text, as: UTF8.self)
}

/// Returns the bytes of a Base64 text, or `nil` if the text isn't valid.
///
/// The text must be exactly what ``base64Encoded(_:)`` returns for the bytes.
package func base64Decoded(_ text: String) -> [UInt8]? {
  let text = Array(text.utf8)
  var bytes = [UInt8](repeating: 0, count: text.count)
  var output = bytes.mutableSpan
  guard let count = Base64.decode(text.span, into: &output) else { return nil }
  return Array(bytes.prefix(count))
}

/// Base64 coding into existing buffers (RFC 4648 §4).
enum Base64 {
  /// Returns the number of characters for a number of bytes.
  static func encodedCount(_ byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

  /// Writes the characters for bytes to the start of a buffer.
  ///
  /// - Precondition: The buffer has at least ``encodedCount(_:)`` bytes.
  static func encode(_ bytes: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    var next = 0
    var index = 0
    while bytes.count &- index >= 3 {
      let triple = bytes.extracting(index..<index &+ 3)
      let bits = UInt32(triple[0]) &<< 16 | UInt32(triple[1]) &<< 8 | UInt32(triple[2])
      write(bits, to: &output, at: next)
      index &+= 3
      next &+= 4
    }
    guard index < bytes.count else { return }
    let isOneByte = bytes.count &- index == 1
    let second = isOneByte ? 0 : UInt32(bytes[index &+ 1])
    write(UInt32(bytes[index]) &<< 16 | second &<< 8, to: &output, at: next)
    if isOneByte { output[next &+ 2] = padding }
    output[next &+ 3] = padding
  }

  /// Decodes characters to the start of a buffer, and returns the number of bytes.
  ///
  /// Returns `nil` unless the characters are exactly what encoding the bytes gives. So line breaks,
  /// missing padding and nonzero bits after the last byte are invalid.
  static func decode(_ text: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Int? {
    guard text.count % 4 == 0 else { return nil }
    guard !text.isEmpty else { return 0 }
    var next = 0
    var index = 0
    while text.count &- index > 4 {
      guard let bits = bits(of: text, at: index, count: 4) else { return nil }
      output[next] = UInt8(truncatingIfNeeded: bits &>> 16)
      output[next &+ 1] = UInt8(truncatingIfNeeded: bits &>> 8)
      output[next &+ 2] = UInt8(truncatingIfNeeded: bits)
      index &+= 4
      next &+= 3
    }
    let paddingCount = text[index &+ 3] != padding ? 0 : text[index &+ 2] != padding ? 1 : 2
    guard let bits = bits(of: text, at: index, count: 4 &- paddingCount),
      bits & (1 &<< UInt32(8 &* paddingCount) &- 1) == 0
    else { return nil }
    output[next] = UInt8(truncatingIfNeeded: bits &>> 16)
    if paddingCount < 2 { output[next &+ 1] = UInt8(truncatingIfNeeded: bits &>> 8) }
    if paddingCount < 1 { output[next &+ 2] = UInt8(truncatingIfNeeded: bits) }
    return next &+ 3 &- paddingCount
  }

  private static let padding = UInt8(ascii: "=")

  @inline(__always)
  private static func write(_ bits: UInt32, to output: inout MutableSpan<UInt8>, at index: Int) {
    output[index] = character(bits &>> 18)
    output[index &+ 1] = character(bits &>> 12)
    output[index &+ 2] = character(bits &>> 6)
    output[index &+ 3] = character(bits)
  }

  /// Returns the 24 bits of the first characters of a group of four; `nil` if one isn't Base64.
  @inline(__always)
  private static func bits(of text: Span<UInt8>, at index: Int, count: Int) -> UInt32? {
    var bits: UInt32 = 0
    var invalid: UInt32 = 0
    for offset in 0..<4 where offset < count {
      let value = UInt32(values[Int(text[index &+ offset])])
      bits |= value &<< UInt32(18 &- 6 &* offset)
      invalid |= value
    }
    return invalid < 64 ? bits : nil
  }

  @inline(__always)
  private static func character(_ bits: UInt32) -> UInt8 {
    alphabet[Int(truncatingIfNeeded: bits & 63)]
  }

  /// The ASCII codes of `A`–`Z`, `a`–`z`, `0`–`9`, `+` and `/`.
  private static let alphabet: InlineArray<64, UInt8> = [
    65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80,
    81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 97, 98, 99, 100, 101, 102,
    103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118,
    119, 120, 121, 122, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 43, 47,
  ]

  /// The value of each byte in Base64; 64 for bytes outside the alphabet.
  private static let values: InlineArray<256, UInt8> = [
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 62, 64, 64, 64, 63,
    52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 64, 64, 64, 64, 64, 64,
    64, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
    15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 64, 64, 64, 64, 64,
    64, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40,
    41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 64, 64, 64, 64, 64,
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
  ]
}
