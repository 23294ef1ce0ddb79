import JSONText

/// Returns the 16 bytes of a UUID's text in either case, or `nil` if the text isn't a UUID.
package func uuidBytes(_ text: String) -> [UInt8]? {
  let characters = Array(text.utf8)
  return uuidBytes(characters.span)
}

/// Returns the 16 bytes of a UUID's ASCII text in either case, or `nil` if it isn't a UUID.
package func uuidBytes(_ characters: Span<UInt8>) -> [UInt8]? {
  guard isUUID(characters) else { return nil }
  return [UInt8](capacity: 16) { bytes in
    for index in 0..<16 { bytes.append(characters.uuidByte(index)) }
  }
}

/// Returns whether ASCII characters are the text of a UUID, in either case.
package func isUUID(_ characters: Span<UInt8>) -> Bool {
  guard characters.count == 36 else { return false }
  // The last word overlaps the one before by four characters.
  return characters.word(at: 0).isHex(butFor: 0)
    && characters.word(at: 8).isHex(butFor: 0x0000_FF00_0000_00FF)
    && characters.word(at: 16).isHex(butFor: 0xFF00_0000_00FF_0000)
    && characters.word(at: 24).isHex(butFor: 0) && characters.word(at: 28).isHex(butFor: 0)
}

extension UInt64 {
  /// Returns whether the masked characters are dashes, and the others hexadecimal digits.
  ///
  /// Adding `0x80 - c` sets the top bit of an ASCII character that is at least `c`, without a carry
  /// into the next byte. See "Determine if a word has a byte less than n",
  /// <https://graphics.stanford.edu/~seander/bithacks.html>.
  fileprivate func isHex(butFor dashes: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    guard self & dashes == ones &* UInt64(UInt8(ascii: "-")) & dashes,
      self & (ones &* 0x80) == 0
    else { return false }
    func atLeast(_ character: UInt8, in word: UInt64) -> UInt64 {
      word &+ ones &* UInt64(0x80 - character)
    }
    let small = self | ones &* 0x20
    let digits = atLeast(0x30, in: self) & ~atLeast(0x3A, in: self)
    let letters = atLeast(0x61, in: small) & ~atLeast(0x67, in: small)
    return (digits | letters | dashes) & (ones &* 0x80) == ones &* 0x80
  }
}

/// Returns whether ASCII characters are the text of a UUID with these 16 bytes, in either case.
package func isUUID(_ characters: Span<UInt8>, of bytes: Span<UInt8>) -> Bool {
  guard bytes.count == 16, isUUID(characters) else { return false }
  for index in bytes.indices where characters.uuidByte(index) != bytes[index] { return false }
  return true
}

extension Span<UInt8> {
  /// Returns a byte of the UUID whose text these 36 characters are.
  fileprivate func uuidByte(_ index: Int) -> UInt8 {
    // Dashes follow the 4th, 6th, 8th and 10th byte.
    let dashes = index < 4 ? 0 : index < 6 ? 1 : index < 8 ? 2 : index < 10 ? 3 : 4
    let position = 2 * index + dashes
    return self[position].hexDigit << 4 | self[position + 1].hexDigit
  }
}

extension UInt8 {
  /// The value of an ASCII hexadecimal digit.
  ///
  /// The low half of a letter counts from 1, and bit 6 is set for letters only.
  fileprivate var hexDigit: UInt8 { (self & 15) &+ (self >> 6) &* 9 }
}

/// Returns the canonical uppercase text of a UUID's 16 bytes.
package func uuidText(_ bytes: [UInt8]) -> String {
  String(decoding: uuidTextBytes(bytes), as: UTF8.self)
}

/// Returns the canonical uppercase text of a UUID's 16 bytes, in ASCII.
package func uuidTextBytes(_ bytes: [UInt8]) -> [UInt8] {
  [UInt8](capacity: 2 * bytes.count + 4) { text in
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
      text.append((byte >> 4).hexCharacter)
      text.append((byte & 15).hexCharacter)
    }
  }
}

extension UInt8 {
  /// The uppercase hexadecimal digit of a number up to 15.
  fileprivate var hexCharacter: UInt8 {
    self < 10 ? self + UInt8(ascii: "0") : self - 10 + UInt8(ascii: "A")
  }
}
