extension Span<UInt8> {
  /// Returns the eight bytes at an index as a little-endian word.
  ///
  /// - Precondition: There are eight bytes.
  @inlinable @inline(__always)
  package func word(at index: Int) -> UInt64 {
    // Spelled out, so that the compiler emits a single load.
    let bytes = extracting(index..<index &+ 8)
    return UInt64(bytes[0]) | UInt64(bytes[1]) &<< 8 | UInt64(bytes[2]) &<< 16
      | UInt64(bytes[3]) &<< 24 | UInt64(bytes[4]) &<< 32 | UInt64(bytes[5]) &<< 40
      | UInt64(bytes[6]) &<< 48 | UInt64(bytes[7]) &<< 56
  }

  /// Returns the index of the next byte that isn't plain.
  ///
  /// Quotes, backslashes, control characters and non-ASCII bytes aren't plain.
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
  /// - Complexity: O(*n*) in the number of bytes, eight at a time.
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

  /// Returns the index after the closing quote of a string whose contents start at an index.
  ///
  /// The closing quote is the next one that isn't escaped. Returns the end if there isn't one.
  ///
  /// - Complexity: O(*n*) in the number of bytes, eight at a time.
  package func endOfQuotedBytes(from start: Int) -> Int {
    var index = endOfUnmarkedBytes(from: start)
    while index < count, self[index] == UInt8(ascii: "\\") {
      index = endOfUnmarkedBytes(from: Swift.min(index &+ 2, count))
    }
    return Swift.min(index &+ 1, count)
  }

  /// Returns the index of the next quote or backslash.
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

  /// Returns a word whose lowest set bit marks the first byte that is a quote or backslash.
  @inline(__always)
  private func marked(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ ones &* UInt64(UInt8(ascii: "\""))
    let backslashes = word ^ ones &* UInt64(UInt8(ascii: "\\"))
    // Subtracting 1 sets the top bit of a zero byte. The mask excludes bytes that had it already.
    return ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes) & (ones &* 0x80)
  }

  /// Returns a word whose lowest set bit marks the first byte that isn't plain in a string.
  ///
  /// Subtraction borrows from higher bytes, so bits above the lowest are meaningless. See
  /// "Determine if a word has a byte less than n",
  /// <https://graphics.stanford.edu/~seander/bithacks.html>.
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
  /// Copies a range of bytes to an index, eight at a time where possible.
  ///
  /// Can copy up to seven bytes after the range, too. If the buffer is as large as the source and
  /// no byte moves to a higher index, that never exceeds the buffer.
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

  /// Stores a little-endian word as eight bytes.
  @inline(__always)
  private mutating func store(_ word: UInt64, at index: Int) {
    var bytes = _mutatingExtracting(index..<index &+ 8)
    // This check is always true. It lets the compiler remove eight bounds checks.
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
