/// A strict recursive descent through a JSON text that knows where it is.
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

  /// Reads the whole text.
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
    // In a small object a look at every key is quicker than a table of them.
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

  /// The number of members up to which an object is small.
  private static let smallObject = 16

  /// Goes past an opening bracket.
  private mutating func descend() throws(JSONError) {
    guard depth < maximumJSONDepth else { throw error(.tooDeep(limit: maximumJSONDepth)) }
    depth += 1
    advance()
    skipWhitespace()
  }

  /// Goes past a closing bracket if there is one.
  private mutating func close(_ bracket: Unicode.Scalar) throws(JSONError) -> Bool {
    guard peek == UInt8(ascii: bracket) else { return false }
    depth -= 1
    advance()
    return true
  }

  /// Goes past a comma, which something must follow.
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

  /// A Boolean value indicating whether a byte right after a number means that it isn't one.
  private func isInWord(_ byte: UInt8) -> Bool {
    byte.isDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+")
      || (byte | 0x20) &- 0x61 < 26
  }
}

extension JSONReader {
  /// The byte at the current place; zero, which JSON has nowhere, at the end.
  var peek: UInt8 { index < bytes.count ? bytes[index] : 0 }

  var position: JSONPosition { JSONPosition(line: line, column: column) }

  /// Goes past a byte that is a character, on the same line.
  mutating func advance() {
    index += 1
    column += 1
  }

  /// Goes on to an index on the same line.
  mutating func advance(to end: Int) {
    for next in index..<end where !bytes[next].isUTF8Continuation { column += 1 }
    index = end
  }

  /// Goes past the bytes of a string that stand for themselves, one character each.
  mutating func skipPlainBytes() {
    let end = bytes.span.endOfPlainBytes(from: index)
    column += end - index
    index = end
  }

  mutating func skipWhitespace() {
    while index < bytes.count, bytes[index].isJSONWhitespace {
      let byte = bytes[index]
      advance()
      // The line ends at the LF of CR LF.
      if byte == 0x0A || byte == 0x0D && peek != 0x0A {
        line += 1
        column = 1
      }
    }
  }

  /// An error at the current place.
  func error(_ reason: JSONError.Reason) -> JSONError {
    JSONError(file: file, position: position, reason: reason)
  }

  /// The error that what stands at the current place isn't what should.
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
