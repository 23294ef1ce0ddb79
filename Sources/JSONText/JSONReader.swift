/// A strict recursive-descent JSON parser that tracks lines and columns.
struct JSONReader {
  let bytes: [UInt8]
  let file: String?
  private(set) var index = 0
  private var line = 1
  private var column = 1
  private var depth = 0

  init(bytes: [UInt8], file: String?) {
    self.bytes = bytes
    self.file = file
  }

  /// Parses the whole text.
  mutating func document(maximumByteCount: Int) throws(JSONError) -> JSONNode {
    guard bytes.count <= maximumByteCount else {
      throw error(.tooLarge(byteCount: bytes.count, limit: maximumByteCount))
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) || bytes.starts(with: [0xFF, 0xFE])
      || bytes.starts(with: [0xFE, 0xFF])
    {
      throw error(.byteOrderMark)
    }
    skipWhitespace()
    if index == bytes.count { throw error(.empty) }
    let node = try value()
    skipWhitespace()
    if index < bytes.count { throw error(peek == UInt8(ascii: "/") ? .comment : .trailingText) }
    return node
  }

  private mutating func value() throws(JSONError) -> JSONNode {
    let position = position
    let value: JSONNode.Value
    switch peek {
    case UInt8(ascii: "{"): value = try .object(members())
    case UInt8(ascii: "["): value = try .array(elements())
    case UInt8(ascii: "\""): value = try .string(string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): value = try .number(number())
    case UInt8(ascii: "t"): value = try word("true", .bool(true))
    case UInt8(ascii: "f"): value = try word("false", .bool(false))
    case UInt8(ascii: "n"): value = try word("null", .null)
    default: throw unexpected("a value")
    }
    return JSONNode(value: value, position: position, file: file)
  }

  private mutating func elements() throws(JSONError) -> [JSONNode] {
    try descend()
    var elements: [JSONNode] = []
    if try close("]") { return elements }
    while true {
      try elements.append(value())
      skipWhitespace()
      if try close("]") { return elements }
      try separator(before: "]")
    }
  }

  private mutating func members() throws(JSONError) -> [JSONNode.Member] {
    try descend()
    var members: [JSONNode.Member] = []
    // Comparing all keys of a small object is faster than hashing them.
    var lines: [String: Int] = [:]
    if try close("}") { return members }
    while true {
      let position = position
      guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
      let key = try string()
      let line =
        members.count < Self.smallObject
        ? members.first { $0.key == key }?.position.line
        : lines.updateValue(position.line, forKey: key)
      if let line {
        throw JSONError(
          file: file, position: position, reason: .duplicateKey(key, firstLine: line))
      }
      skipWhitespace()
      guard peek == UInt8(ascii: ":") else { throw unexpected("':'") }
      advance()
      skipWhitespace()
      try members.append(JSONNode.Member(key: key, position: position, node: value()))
      if members.count == Self.smallObject {
        for member in members { lines[member.key] = member.position.line }
      }
      skipWhitespace()
      if try close("}") { return members }
      try separator(before: "}")
    }
  }

  /// The number of members from which keys are hashed.
  private static let smallObject = 16

  /// Reads an opening bracket.
  private mutating func descend() throws(JSONError) {
    guard depth < maximumJSONDepth else { throw error(.tooDeep(limit: maximumJSONDepth)) }
    depth += 1
    advance()
    skipWhitespace()
  }

  /// Reads a closing bracket if there is one, and returns whether there was.
  private mutating func close(_ bracket: Unicode.Scalar) throws(JSONError) -> Bool {
    guard peek == UInt8(ascii: bracket) else { return false }
    depth -= 1
    advance()
    return true
  }

  /// Reads a comma, and throws if a closing bracket follows.
  private mutating func separator(before bracket: Unicode.Scalar) throws(JSONError) {
    guard peek == UInt8(ascii: ",") else { throw unexpected("',' or '\(bracket)'") }
    let comma = position
    advance()
    skipWhitespace()
    if peek == UInt8(ascii: bracket) {
      throw JSONError(file: file, position: comma, reason: .trailingComma)
    }
  }

  private mutating func word(
    _ word: String, _ value: JSONNode.Value
  ) throws(JSONError) -> JSONNode.Value {
    guard bytes[index...].starts(with: word.utf8) else { throw unexpected("a value") }
    advance(to: index + word.utf8.count)
    return value
  }

  private mutating func number() throws(JSONError) -> String {
    guard let end = bytes.span.endOfNumber(from: index),
      end == bytes.count || !isInWord(bytes[end])
    else { throw error(.invalidNumber) }
    let spelling = String(decoding: bytes[index..<end], as: UTF8.self)
    advance(to: end)
    return spelling
  }

  /// Returns whether a byte after a number makes it invalid.
  private func isInWord(_ byte: UInt8) -> Bool {
    byte.isDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+")
      || (byte | 0x20) &- 0x61 < 26
  }
}

extension JSONReader {
  /// The current byte, or 0 at the end; 0 is valid nowhere in JSON.
  var peek: UInt8 { index < bytes.count ? bytes[index] : 0 }

  var position: TextPosition { TextPosition(line: line, column: column) }

  /// Advances by a one-byte character on the same line.
  mutating func advance() {
    index += 1
    column += 1
  }

  /// Advances to an index on the same line.
  mutating func advance(to end: Int) {
    for next in index..<end where !bytes[next].isUTF8Continuation { column += 1 }
    index = end
  }

  /// Skips unescaped ASCII characters of a string.
  mutating func skipPlainBytes() {
    let end = bytes.span.endOfPlainBytes(from: index)
    column += end - index
    index = end
  }

  mutating func skipWhitespace() {
    while index < bytes.count, bytes[index].isJSONWhitespace {
      let byte = bytes[index]
      advance()
      // CR LF is one line end.
      if byte == 0x0A || byte == 0x0D && peek != 0x0A {
        line += 1
        column = 1
      }
    }
  }

  /// Returns an error at the current position.
  func error(_ reason: JSONError.Reason) -> JSONError {
    JSONError(file: file, position: position, reason: reason)
  }

  /// Returns the error for an unexpected character at the current position.
  func unexpected(_ expected: String) -> JSONError {
    guard index < bytes.count else { return error(.expected(expected, found: nil)) }
    if bytes[index] == UInt8(ascii: "/") { return error(.comment) }
    if bytes[index] < 0x20 || bytes[index] == 0x7F {
      return error(.expected(expected, found: "a control character"))
    }
    let length = bytes[index] < 0x80 ? 1 : bytes.span.lengthOfUTF8Sequence(at: index)
    if length == 0 { return error(.invalidUTF8) }
    let found = String(decoding: bytes[index..<index + length], as: UTF8.self)
    return error(.expected(expected, found: "'\(found)'"))
  }
}
