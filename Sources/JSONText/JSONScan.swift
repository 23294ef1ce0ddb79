/// The deepest nesting of arrays and objects that counts as JSON.
public let maximumJSONDepth = 512

/// A scan of one JSON text (RFC 8259) whose top level is an object or an array.
///
/// The scan stops at every stretch of insignificant whitespace and goes on from there, so that one
/// pass both validates a text and finds what to leave out of it.
struct JSONScan {
  /// Why a scan came to rest.
  enum Stop {
    /// At whitespace outside strings; ``JSONScan/skipWhitespace(in:)`` goes past it.
    case whitespace

    /// At the end of a whole text.
    case end

    /// At a byte no JSON text has there, or at the end of a text cut short.
    case malformed
  }

  /// The number of bytes found to be in order.
  private(set) var position = 0

  /// The tokens that may come next; nothing once the top level has been closed.
  private var allowed = Token.open
  private var depth = 0

  /// One bit per level: set where it is an object.
  private var objects: InlineArray<8, UInt64> = .init(repeating: 0)
}

extension JSONScan {
  /// Goes on to the next insignificant whitespace, the end, or what isn't JSON.
  mutating func advance(in text: Span<UInt8>) -> Stop {
    var index = position
    var allowed = allowed
    defer {
      position = index
      self.allowed = allowed
    }
    while index < text.count {
      let byte = text[index]
      let token = Token.of(byte)
      guard token & allowed != 0 else {
        return token == 0 && byte.isJSONWhitespace ? .whitespace : .malformed
      }
      switch token {
      case Token.quote:
        guard let end = text.endOfString(from: index &+ 1) else { return .malformed }
        index = end
        // Where a string may stand but no array or object, it is a key.
        allowed = allowed & Token.open == 0 ? Token.colon : afterValue
      case Token.comma:
        index &+= 1
        allowed = isInObject ? Token.quote : Token.value
      case Token.colon:
        index &+= 1
        allowed = Token.value
      case Token.number:
        guard let end = text.endOfNumber(from: index) else { return .malformed }
        index = end
        allowed = afterValue
      case Token.word:
        guard let end = text.endOfWord(from: index) else { return .malformed }
        index = end
        allowed = afterValue
      case Token.open:
        guard open(byte) else { return .malformed }
        index &+= 1
        allowed = isInObject ? Token.quote | Token.closeObject : Token.value | Token.closeArray
      default:
        depth &-= 1
        index &+= 1
        allowed = afterValue
      }
    }
    return depth == 0 && allowed == 0 ? .end : .malformed
  }

  /// Goes past the whitespace the scan stopped at.
  mutating func skipWhitespace(in text: Span<UInt8>) {
    while position < text.count, text[position].isJSONWhitespace { position &+= 1 }
  }

  @inline(__always)
  private var isInObject: Bool {
    let level = depth &- 1
    return objects[level &>> 6] &>> UInt64(truncatingIfNeeded: level & 63) & 1 != 0
  }

  @inline(__always)
  private var afterValue: UInt8 {
    if depth == 0 { return 0 }
    return isInObject ? Token.comma | Token.closeObject : Token.comma | Token.closeArray
  }

  @inline(__always)
  private mutating func open(_ byte: UInt8) -> Bool {
    guard depth < maximumJSONDepth else { return false }
    let bit = 1 &<< UInt64(truncatingIfNeeded: depth & 63)
    if byte == UInt8(ascii: "{") {
      objects[depth &>> 6] |= bit
    } else {
      objects[depth &>> 6] &= ~bit
    }
    depth &+= 1
    return true
  }
}
