/// A key of an object in a JSON text, with the position of its value.
package struct JSONKey: Sendable {
  /// The range of the bytes between the quotes, with escapes unresolved.
  package let name: Range<Int>

  /// Whether the name contains escapes, so that its bytes differ from the name.
  package let hasEscapes: Bool

  /// The index of the value's first byte.
  package let valueStart: Int

  /// The number of arrays and objects that contain the key: 1 at the top level.
  package let depth: Int
}

extension Span<UInt8> {
  /// Returns whether a range contains these bytes.
  package func holds(_ bytes: [UInt8], at range: Range<Int>) -> Bool {
    guard range.count == bytes.count, range.upperBound <= count else { return false }
    for offset in bytes.indices where self[range.lowerBound + offset] != bytes[offset] {
      return false
    }
    return true
  }

  /// Returns whether a key has a name, in any spelling.
  package func holds(_ name: [UInt8], as key: JSONKey) -> Bool {
    key.hasEscapes ? self.name(of: key).map { Array($0.utf8) } == name : holds(name, at: key.name)
  }

  /// Returns the name of a key with its escapes resolved, or `nil` if they aren't valid text.
  package func name(of key: JSONKey) -> String? {
    let quoted = key.name.lowerBound - 1..<key.name.upperBound + 1
    let bytes = extracting(quoted)
    let copy = bytes.indices.map { bytes[$0] }
    return try? JSONNode(parsing: copy).string
  }

  /// Returns the range between the quotes of the string at an index, or `nil` without one.
  package func jsonString(at start: Int) -> Range<Int>? {
    guard start < count, self[start] == UInt8(ascii: "\""), let end = endOfString(from: start + 1)
    else { return nil }
    return start + 1..<end - 1
  }

  /// Returns the range between the quotes of a string without escapes and in ASCII.
  ///
  /// Returns `nil` if the value at the index isn't a string, or contains an escape or a non-ASCII
  /// byte.
  package func plainJSONString(at start: Int) -> Range<Int>? {
    guard start < count, self[start] == UInt8(ascii: "\"") else { return nil }
    let end = endOfPlainBytes(from: start + 1)
    return end < count && self[end] == UInt8(ascii: "\"") ? start + 1..<end : nil
  }

  /// Returns the range of the JSON value that starts at an index.
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
        // A closing bracket that the value didn't open belongs to the enclosing value.
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

  /// Returns the key whose name is at a range.
  ///
  /// The result is meaningless if the text isn't valid JSON.
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
