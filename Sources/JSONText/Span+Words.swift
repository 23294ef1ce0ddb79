extension Span<UInt8> {
  /// Eight bytes, the first the least significant; there must be as many.
  @inlinable @inline(__always)
  package func word(at index: Int) -> UInt64 {
    // Spelled out, so that the compiler makes one load of it.
    let bytes = extracting(index..<index &+ 8)
    return UInt64(bytes[0]) | UInt64(bytes[1]) &<< 8 | UInt64(bytes[2]) &<< 16
      | UInt64(bytes[3]) &<< 24 | UInt64(bytes[4]) &<< 32 | UInt64(bytes[5]) &<< 40
      | UInt64(bytes[6]) &<< 48 | UInt64(bytes[7]) &<< 56
  }

  /// The index of the next byte that isn't plain in a string.
  ///
  /// A quote, a backslash, a control character, a byte beyond ASCII.
  @inline(__always)
  func endOfPlainBytes(from start: Int) -> Int {
    var index = start
    while count &- index >= 8 {
      let marks = notPlain(word(at: index))
      if marks != 0 { return index &+ marks.trailingZeroBitCount &>> 3 }
      index &+= 8
    }
    while index < count {
      let byte = self[index]
      guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\")
      else { return index }
      index &+= 1
    }
    return index
  }

  /// Returns whether two spans have the same bytes.
  ///
  /// - Complexity: O(*n*) in their number, eight at a time.
  package func holdsSameBytes(as other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    var index = 0
    while count &- index >= 8 {
      guard word(at: index) == other.word(at: index) else { return false }
      index &+= 8
    }
    while index < count {
      guard self[index] == other[index] else { return false }
      index &+= 1
    }
    return true
  }

  /// The index behind the quote that ends a string whose first byte is at an index.
  ///
  /// It is the next quote that no backslash escapes; the end where there is none.
  ///
  /// - Complexity: O(*n*) in the string's bytes, eight at a time.
  package func endOfQuotedBytes(from start: Int) -> Int {
    var index = endOfUnmarkedBytes(from: start)
    while index < count, self[index] == UInt8(ascii: "\\") {
      index = endOfUnmarkedBytes(from: Swift.min(index &+ 2, count))
    }
    return Swift.min(index &+ 1, count)
  }

  /// The index of the next quote or backslash.
  @inline(__always)
  func endOfUnmarkedBytes(from start: Int) -> Int {
    var index = start
    while count &- index >= 8 {
      let marks = marked(word(at: index))
      if marks != 0 { return index &+ marks.trailingZeroBitCount &>> 3 }
      index &+= 8
    }
    while index < count, self[index] != UInt8(ascii: "\""), self[index] != UInt8(ascii: "\\") {
      index &+= 1
    }
    return index
  }

  /// A word whose lowest set bit is the top bit of the first byte that is a quote or a backslash.
  @inline(__always)
  private func marked(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ ones &* UInt64(UInt8(ascii: "\""))
    let backslashes = word ^ ones &* UInt64(UInt8(ascii: "\\"))
    // A byte that is zero borrows from itself, one beyond ASCII has its top bit already.
    return ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes) & (ones &* 0x80)
  }

  /// A word whose lowest set bit is the top bit of the first byte that isn't plain in a string.
  ///
  /// Subtracting borrows from the bytes above, so that marks above the lowest mean nothing. See
  /// "Determine if a word has a byte less than n", <https://graphics.stanford.edu/~seander/bithacks.html>.
  @inline(__always)
  private func notPlain(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = (word ^ ones &* UInt64(UInt8(ascii: "\""))) &- ones
    let backslashes = (word ^ ones &* UInt64(UInt8(ascii: "\\"))) &- ones
    let controls = word &- ones &* 0x20
    return (quotes | backslashes | controls | word) & (ones &* 0x80)
  }
}

extension MutableSpan<UInt8> {
  /// Copies a range of bytes to an index, in words while the source has them.
  ///
  /// Up to seven bytes after the range may be copied too; they don't count. That never passes the
  /// end of a buffer as long as the source where no byte moves to a higher index.
  @inline(__always)
  mutating func copy(_ source: Span<UInt8>, from start: Int, to end: Int, at index: Int) {
    var read = start
    var write = index
    while read < end {
      if source.count &- read >= 8 {
        store(source.word(at: read), at: write)
        read &+= 8
        write &+= 8
      } else {
        self[write] = source[read]
        read &+= 1
        write &+= 1
      }
    }
  }

  /// Stores eight bytes, the first the least significant.
  @inline(__always)
  private mutating func store(_ word: UInt64, at index: Int) {
    var bytes = _mutatingExtracting(index..<index &+ 8)
    // The count is known, but the compiler must be told to leave out eight checks.
    guard bytes.count == 8 else { return }
    bytes[0] = UInt8(truncatingIfNeeded: word)
    bytes[1] = UInt8(truncatingIfNeeded: word &>> 8)
    bytes[2] = UInt8(truncatingIfNeeded: word &>> 16)
    bytes[3] = UInt8(truncatingIfNeeded: word &>> 24)
    bytes[4] = UInt8(truncatingIfNeeded: word &>> 32)
    bytes[5] = UInt8(truncatingIfNeeded: word &>> 40)
    bytes[6] = UInt8(truncatingIfNeeded: word &>> 48)
    bytes[7] = UInt8(truncatingIfNeeded: word &>> 56)
  }
}
