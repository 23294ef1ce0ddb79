import JSONText

/// Returns the 16 bytes of a UUID in its usual text form, in either case; none for anything else.
package func uuidBytes(_ text: String) -> [UInt8]? {
  let characters = Array(text.utf8)
  return uuidBytes(characters.span)
}

/// Returns the 16 bytes of a UUID that ASCII characters spell, in either case.
package func uuidBytes(_ characters: Span<UInt8>) -> [UInt8]? {
  guard isUUID(characters) else { return nil }
  return [UInt8](capacity: 16) { bytes in
    for index in 0..<16 { bytes.append(characters.uuidByte(index)) }
  }
}

/// Returns whether ASCII characters spell a UUID, in either case.
package func isUUID(_ characters: Span<UInt8>) -> Bool {
  guard characters.count == 36 else { return false }
  // The last word has four characters of the one before.
  return characters.word(at: 0).isHex(butFor: 0)
    && characters.word(at: 8).isHex(butFor: 0x0000_FF00_0000_00FF)
    && characters.word(at: 16).isHex(butFor: 0xFF00_0000_00FF_0000)
    && characters.word(at: 24).isHex(butFor: 0) && characters.word(at: 28).isHex(butFor: 0)
}

extension UInt64 {
  /// Returns whether of eight characters some are dashes, and all others hexadecimal digits.
  ///
  /// A sum's top bit tells whether an ASCII character is at least another; the next byte is never reached. See
  /// "Determine if a word has a byte less than n", <https://graphics.stanford.edu/~seander/bithacks.html>.
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

/// Returns whether ASCII characters spell the UUID of 16 bytes, in either case.
package func isUUID(_ characters: Span<UInt8>, of bytes: Span<UInt8>) -> Bool {
  guard bytes.count == 16, isUUID(characters) else { return false }
  for index in bytes.indices where characters.uuidByte(index) != bytes[index] { return false }
  return true
}

extension Span<UInt8> {
  /// The byte of a number that 36 characters spell as a UUID.
  fileprivate func uuidByte(_ index: Int) -> UInt8 {
    // Dashes follow the 4th, 6th, 8th and 10th byte.
    let dashes = index < 4 ? 0 : index < 6 ? 1 : index < 8 ? 2 : index < 10 ? 3 : 4
    let place = 2 * index + dashes
    return self[place].hexDigit << 4 | self[place + 1].hexDigit
  }
}

extension UInt8 {
  /// What an ASCII character stands for that is a hexadecimal digit.
  ///
  /// The lower half of a letter counts from 1, and bit 6 tells a letter.
  fileprivate var hexDigit: UInt8 { (self & 15) &+ (self >> 6) &* 9 }
}

/// Returns the canonical upper-case text of a UUID's 16 bytes.
package func uuidText(_ bytes: [UInt8]) -> String {
  let text = [UInt8](capacity: 2 * bytes.count + 4) { text in
    for (place, byte) in bytes.enumerated() {
      if place == 4 || place == 6 || place == 8 || place == 10 { text.append(UInt8(ascii: "-")) }
      text.append((byte >> 4).hexCharacter)
      text.append((byte & 15).hexCharacter)
    }
  }
  return String(decoding: text, as: UTF8.self)
}

extension UInt8 {
  /// The upper-case hexadecimal digit of a number up to 15.
  fileprivate var hexCharacter: UInt8 {
    self < 10 ? self + UInt8(ascii: "0") : self - 10 + UInt8(ascii: "A")
  }
}
