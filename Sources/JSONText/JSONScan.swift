/// The maximum nesting depth of arrays and objects.
package let maximumJSONDepth = 512

/// A scanner of a JSON text (RFC 8259) whose top level is an object or array.
///
/// One pass both validates the text and finds insignificant whitespace. The scanner stops at the
/// first insignificant whitespace, and can then continue while copying the significant bytes.
struct JSONScan {
  /// Why the scanner stopped.
  enum Stop {
    /// At whitespace outside strings; ``JSONScan/skipWhitespace(in:)`` skips it.
    case whitespace

    /// At the end of a complete text.
    case end

    /// At an invalid byte, or at the end of an incomplete text.
    case malformed
  }

  /// The number of bytes scanned and found valid.
  private(set) var position = 0

  /// The tokens that may come next; empty after the top level is closed.
  private var allowed = Token.open

  /// The tokens that may follow a value at the current level.
  private var afterValue: UInt8 = 0

  private var depth = 0

  /// One bit for each level, set for objects.
  private var objects: InlineArray<8, UInt64> = .init(repeating: 0)
}

extension JSONScan {
  /// Scans to the next insignificant whitespace, the end, or invalid JSON.
  mutating func advance(in text: Span<UInt8>) -> Stop { advance(in: text) { _, _ in } }

  /// Scans like ``advance(in:)``, and calls a closure with the range and depth of each key's name.
  @inline(__always)
  mutating func advance(
    in text: Span<UInt8>, _ visit: (_ name: Range<Int>, _ depth: Int) -> Void
  ) -> Stop {
    while position < text.count {
      let byte = text[position]
      let token = Token.of(byte)
      guard token & allowed != 0 else {
        return byte.isJSONWhitespace ? .whitespace : .malformed
      }
      guard take(token, byte, in: text, visit) else { return .malformed }
    }
    return isAtEnd ? .end : .malformed
  }

  /// Skips the whitespace that the scanner stopped at.
  @inline(__always)
  mutating func skipWhitespace(in text: Span<UInt8>) {
    while position < text.count, text[position].isJSONWhitespace { position &+= 1 }
  }

  /// Scans to the end, copies the significant bytes, and returns their number; `nil` if invalid.
  ///
  /// The bytes before the current position are copied too; they must not contain whitespace.
  ///
  /// - Precondition: The buffer is at least as large as the text.
  mutating func copySignificant(
    of text: Span<UInt8>, into output: inout MutableSpan<UInt8>
  ) -> Int? {
    var next = 0
    var start = 0
    while position < text.count {
      let byte = text[position]
      let token = Token.of(byte)
      guard token & allowed == 0 else {
        guard take(token, byte, in: text, { _, _ in }) else { return nil }
        continue
      }
      guard byte.isJSONWhitespace else { return nil }
      output.copy(text, from: start, to: position, at: next)
      next &+= position &- start
      skipWhitespace(in: text)
      start = position
    }
    guard isAtEnd else { return nil }
    output.copy(text, from: start, to: position, at: next)
    return next &+ position &- start
  }

  /// Whether the top level is closed.
  private var isAtEnd: Bool { allowed == 0 }

  /// Reads a token that is allowed at the current position; returns `false` if it is malformed.
  @inline(__always)
  private mutating func take(
    _ token: UInt8, _ byte: UInt8, in text: Span<UInt8>, _ visit: (Range<Int>, Int) -> Void
  ) -> Bool {
    switch token {
    case Token.quote:
      return takeString(in: text, visit)
    case Token.comma:
      position &+= 1
      allowed = afterValue & Token.closeObject != 0 ? Token.quote : Token.value
    case Token.colon:
      position &+= 1
      allowed = Token.value
    case Token.number:
      guard let end = text.endOfNumber(from: position) else { return false }
      position = end
      allowed = afterValue
    case Token.word:
      guard let end = text.endOfWord(from: position) else { return false }
      position = end
      allowed = afterValue
    case Token.open:
      return open(isObject: byte == UInt8(ascii: "{"))
    default:
      close()
    }
    return true
  }

  @inline(__always)
  private mutating func takeString(
    in text: Span<UInt8>, _ visit: (Range<Int>, Int) -> Void
  ) -> Bool {
    let start = position &+ 1
    guard let end = text.endOfString(from: start) else { return false }
    position = end
    // Only a key can be a string where arrays and objects aren't allowed.
    let isKey = allowed & Token.open == 0
    allowed = isKey ? Token.colon : afterValue
    guard isKey else { return true }
    // Usually the colon follows directly: this saves one iteration for each key.
    if position < text.count, text[position] == UInt8(ascii: ":") {
      position &+= 1
      allowed = Token.value
    }
    visit(start..<end &- 1, depth)
    return true
  }

  @inline(__always)
  private mutating func open(isObject: Bool) -> Bool {
    guard depth < maximumJSONDepth else { return false }
    let bit = 1 &<< UInt64(truncatingIfNeeded: depth & 63)
    if isObject {
      objects[depth &>> 6] |= bit
    } else {
      objects[depth &>> 6] &= ~bit
    }
    depth &+= 1
    position &+= 1
    enterLevel(isObject: isObject)
    allowed = isObject ? Token.quote | Token.closeObject : Token.value | Token.closeArray
    return true
  }

  @inline(__always)
  private mutating func close() {
    depth &-= 1
    position &+= 1
    if depth == 0 {
      allowed = 0
    } else {
      let level = depth &- 1
      let bit = 1 &<< UInt64(truncatingIfNeeded: level & 63)
      enterLevel(isObject: objects[level &>> 6] & bit != 0)
      allowed = afterValue
    }
  }

  @inline(__always)
  private mutating func enterLevel(isObject: Bool) {
    afterValue = Token.comma | (isObject ? Token.closeObject : Token.closeArray)
  }
}
