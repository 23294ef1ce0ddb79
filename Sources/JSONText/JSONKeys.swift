/// One key of a JSON text, with the place where its value begins.
package struct JSONKey: Sendable {
  /// The bytes between the key's quotes, escapes as they are.
  package let name: Range<Int>

  /// A Boolean value indicating whether the name has escapes: its bytes are then not what it says.
  package let hasEscapes: Bool

  /// The place of the value's first byte.
  package let valueStart: Int

  /// The number of arrays and objects around the key: 1 at the top level.
  package let depth: Int
}

extension Span<UInt8> {
  /// Returns whether a part of the bytes is the same as other bytes.
  package func holds(_ bytes: [UInt8], at range: Range<Int>) -> Bool {
    guard range.count == bytes.count, range.upperBound <= count else { return false }
    for offset in bytes.indices where self[range.lowerBound + offset] != bytes[offset] {
      return false
    }
    return true
  }

  /// Returns whether a key's name is the same as other bytes, however it is spelt.
  package func holds(_ name: [UInt8], as key: JSONKey) -> Bool {
    key.hasEscapes ? self.name(of: key).map { Array($0.utf8) } == name : holds(name, at: key.name)
  }

  /// Returns a key's name, its escapes resolved; none where they spell no text.
  package func name(of key: JSONKey) -> String? {
    let quoted = key.name.lowerBound - 1..<key.name.upperBound + 1
    let bytes = extracting(quoted)
    let copy = bytes.indices.map { bytes[$0] }
    return try? JSONNode(parsing: copy).string
  }

  /// Returns the bytes between the quotes of the JSON string that begins at a place, if one does.
  package func jsonString(at start: Int) -> Range<Int>? {
    guard start < count, self[start] == UInt8(ascii: "\""), let end = endOfString(from: start + 1)
    else { return nil }
    return start + 1..<end - 1
  }

  /// Returns the bytes between the quotes of the JSON string that begins at a place.
  ///
  /// None where another value begins, and where one of the string's bytes is an escape's or not of
  /// ASCII.
  package func plainJSONString(at start: Int) -> Range<Int>? {
    guard start < count, self[start] == UInt8(ascii: "\"") else { return nil }
    let end = endOfPlainBytes(from: start + 1)
    return end < count && self[end] == UInt8(ascii: "\"") ? start + 1..<end : nil
  }

  /// Returns the bytes of the JSON value that begins at a place of a JSON text.
  package func jsonValue(at start: Int) -> Range<Int> {
    var index = start
    var depth = 0
    while index < count {
      switch self[index] {
      case UInt8(ascii: "\""):
        guard let end = endOfString(from: index + 1) else { return start..<count }
        index = end
        if depth == 0 { return start..<index }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // A bracket that the value didn't open ends what it stands in.
        if depth == 0 { return start..<index }
        depth -= 1
        if depth == 0 { return start..<index + 1 }
      case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
        if depth == 0 { return start..<index }
      default: break
      }
      index += 1
    }
    return start..<count
  }

  /// The key whose name's bytes are known, of a text that has a colon behind it or is no JSON text.
  func key(named name: Range<Int>, depth: Int) -> JSONKey {
    var next = name.upperBound &+ 1
    skipWhitespace(&next)
    next &+= 1
    skipWhitespace(&next)
    return JSONKey(
      name: name, hasEscapes: endOfUnmarkedBytes(from: name.lowerBound) < name.upperBound,
      valueStart: next, depth: depth)
  }

  fileprivate func skipWhitespace(_ index: inout Int) {
    while index < count, self[index].isJSONWhitespace { index += 1 }
  }
}
