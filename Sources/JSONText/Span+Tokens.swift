extension Span<UInt8> {
  /// Returns the index after the closing quote of a string whose contents start at an index.
  @inline(__always)
  func endOfString(from start: Int) -> Int? {
    var index = start
    while true {
      index = endOfPlainBytes(from: index)
      guard index < count else { return nil }
      let byte = self[index]
      if byte == UInt8(ascii: "\"") { return index &+ 1 }
      let length =
        byte == UInt8(ascii: "\\") ? lengthOfEscape(at: index) : lengthOfUTF8Sequence(at: index)
      if length == 0 { return nil }
      index &+= length
    }
  }

  /// Returns the length of the escape at an index, or 0 if it isn't valid.
  ///
  /// An unpaired surrogate is valid: the grammar allows it.
  func lengthOfEscape(at index: Int) -> Int {
    guard index &+ 1 < count else { return 0 }
    switch self[index &+ 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 2
    case UInt8(ascii: "u"):
      guard count &- index >= 6, self[index &+ 2].isHexDigit, self[index &+ 3].isHexDigit,
        self[index &+ 4].isHexDigit, self[index &+ 5].isHexDigit
      else { return 0 }
      return 6
    default:
      return 0
    }
  }

  /// Returns the length of the multibyte UTF-8 sequence at an index, or 0 if it is ill-formed.
  ///
  /// The cases are the rows of table 3-7 of the Unicode Standard, chapter 3.
  func lengthOfUTF8Sequence(at index: Int) -> Int {
    guard index &+ 1 < count else { return 0 }
    let length: Int
    let seconds: ClosedRange<UInt8>
    switch self[index] {
    case 0xC2...0xDF: (length, seconds) = (2, 0x80...0xBF)
    case 0xE0: (length, seconds) = (3, 0xA0...0xBF)
    case 0xED: (length, seconds) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, seconds) = (3, 0x80...0xBF)
    case 0xF0: (length, seconds) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, seconds) = (4, 0x80...0xBF)
    case 0xF4: (length, seconds) = (4, 0x80...0x8F)
    default: return 0
    }
    guard count &- index >= length, seconds.contains(self[index &+ 1]) else { return 0 }
    for next in index &+ 2..<index &+ length where !self[next].isUTF8Continuation { return 0 }
    return length
  }

  /// Returns the index after the number at an index, or `nil` if it isn't valid.
  @inline(__always)
  func endOfNumber(from start: Int) -> Int? {
    var index = start
    if self[index] == UInt8(ascii: "-") { index &+= 1 }
    guard index < count, self[index].isDigit else { return nil }
    index = self[index] == UInt8(ascii: "0") ? index &+ 1 : endOfDigits(from: index)
    if index < count, self[index] == UInt8(ascii: ".") {
      let end = endOfDigits(from: index &+ 1)
      guard end > index &+ 1 else { return nil }
      index = end
    }
    if index < count, self[index] | 0x20 == UInt8(ascii: "e") {
      index &+= 1
      if index < count, self[index] == UInt8(ascii: "+") || self[index] == UInt8(ascii: "-") {
        index &+= 1
      }
      let end = endOfDigits(from: index)
      guard end > index else { return nil }
      index = end
    }
    return index
  }

  @inline(__always)
  private func endOfDigits(from start: Int) -> Int {
    var index = start
    while index < count, self[index].isDigit { index &+= 1 }
    return index
  }

  /// Returns the index after `true`, `false` or `null` at an index, or `nil` if it is another word.
  func endOfWord(from start: Int) -> Int? {
    switch self[start] {
    case UInt8(ascii: "t"): hasWord(0x7472_7565, at: start) ? start &+ 4 : nil
    case UInt8(ascii: "n"): hasWord(0x6E75_6C6C, at: start) ? start &+ 4 : nil
    default: hasWord(0x616C_7365, at: start &+ 1) ? start &+ 5 : nil
    }
  }

  /// Returns whether four bytes, given as a big-endian word, are at an index.
  private func hasWord(_ word: UInt32, at index: Int) -> Bool {
    guard count &- index >= 4 else { return false }
    var found: UInt32 = 0
    for offset in 0..<4 { found = found &<< 8 | UInt32(self[index &+ offset]) }
    return found == word
  }
}
