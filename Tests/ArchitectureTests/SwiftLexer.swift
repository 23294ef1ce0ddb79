/// Divides Swift source into tokens and comments.
///
/// It knows raw and multi-line strings, interpolations and nested comments, but no regex literals.
struct SwiftLexer {
  private(set) var tokens: [SwiftToken] = []
  private(set) var comments: [Comment] = []

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var isAdjacent = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    while position < bytes.count {
      readCode()
      // Source that compiles has no parenthesis too many; planted text may.
      position += 1
    }
  }

  private func byte(_ distance: Int = 0) -> UInt8 {
    position + distance < bytes.count ? bytes[position + distance] : 0
  }

  private func text(from start: Int) -> String {
    String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func append(_ kind: SwiftToken.Kind, _ text: String, line: Int) {
    tokens.append(SwiftToken(kind: kind, text: text, line: line, isAdjacent: isAdjacent))
    isAdjacent = true
  }

  /// Reads tokens up to the end, or up to the parenthesis that ends an interpolation.
  private mutating func readCode() {
    var depth = 0
    while position < bytes.count {
      let next = byte()
      switch next {
      case UInt8(ascii: "\n"):
        line += 1
        position += 1
        isAdjacent = false
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        position += 1
        isAdjacent = false
      case UInt8(ascii: "/") where byte(1) == next: readLineComment()
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): readBlockComment()
      case UInt8(ascii: "\""): readString(hashes: 0)
      case UInt8(ascii: "#") where hashesBeforeQuote > 0: readString(hashes: hashesBeforeQuote)
      case UInt8(ascii: "`"): readQuotedIdentifier()
      case _ where next.isIdentifierStart: readWord()
      default:
        depth += next == UInt8(ascii: "(") ? 1 : next == UInt8(ascii: ")") ? -1 : 0
        if depth < 0 { return }
        position += 1
        append(.symbol, String(UnicodeScalar(next)), line: line)
      }
    }
  }

  private mutating func readWord() {
    let start = position
    while byte().isIdentifierStart { position += 1 }
    append(bytes[start].isDigit ? .number : .identifier, text(from: start), line: line)
  }

  private mutating func readQuotedIdentifier() {
    position += 1
    let start = position
    while position < bytes.count, byte() != UInt8(ascii: "`") { position += 1 }
    append(.quoted, text(from: start), line: line)
    position += 1
  }

  // MARK: - Comments

  private mutating func readLineComment() {
    let isDocumentation = byte(2) == UInt8(ascii: "/")
    position += isDocumentation ? 3 : 2
    if byte() == UInt8(ascii: " ") { position += 1 }
    let start = position
    while position < bytes.count, byte() != UInt8(ascii: "\n") { position += 1 }
    let text = text(from: start)
    if let last = comments.last, last.line + last.lines.count == line,
      last.isDocumentation == isDocumentation
    {
      comments[comments.count - 1].lines.append(text)
    } else {
      comments.append(Comment(lines: [text], line: line, isDocumentation: isDocumentation))
    }
    isAdjacent = false
  }

  private mutating func readBlockComment() {
    var depth = 0
    repeat {
      if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
      } else {
        if byte() == UInt8(ascii: "\n") { line += 1 }
        position += 1
      }
    } while depth > 0 && position < bytes.count
    isAdjacent = false
  }

  // MARK: - Strings

  /// How many `#` stand here before a quote; 0 if no string starts here.
  private var hashesBeforeQuote: Int {
    var count = 0
    while byte(count) == UInt8(ascii: "#") { count += 1 }
    return byte(count) == UInt8(ascii: "\"") ? count : 0
  }

  private func hasHashes(_ count: Int, at distance: Int) -> Bool {
    (0..<count).allSatisfy { byte(distance + $0) == UInt8(ascii: "#") }
  }

  private func hasQuotes(_ count: Int) -> Bool {
    (0..<count).allSatisfy { byte($0) == UInt8(ascii: "\"") }
  }

  /// Reads a literal: one token of its text, and then the tokens of its interpolations.
  private mutating func readString(hashes: Int) {
    position += hashes
    let quotes = hasQuotes(3) ? 3 : 1
    position += quotes
    let place = tokens.count
    append(.string, "", line: line)
    var content: [UInt8] = []
    while position < bytes.count {
      let next = byte()
      if next == UInt8(ascii: "\""), hasQuotes(quotes), hasHashes(hashes, at: quotes) {
        position += quotes + hashes
        break
      }
      if next == UInt8(ascii: "\\"), hasHashes(hashes, at: 1) {
        position += 1 + hashes
        if byte() == UInt8(ascii: "(") {
          position += 1
          readCode()
        } else {
          if byte() == UInt8(ascii: "\n") { line += 1 }
          content.append(byte())
        }
      } else {
        if next == UInt8(ascii: "\n") { line += 1 }
        content.append(next)
      }
      position += 1
    }
    let token = tokens[place]
    tokens[place] = SwiftToken(
      kind: .string, text: String(decoding: content, as: UTF8.self), line: token.line,
      isAdjacent: token.isAdjacent)
    isAdjacent = true
  }
}

extension UInt8 {
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  /// Whether the byte is a letter of ASCII, or part of any other character.
  var isLetter: Bool {
    self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z") || self >= 0x80
  }

  var isIdentifierStart: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
}
