/// Returns the nesting depth of an XML text, or `nil` if tags don't match or it exceeds a limit.
///
/// Comments, CDATA sections and processing instructions don't count. Entities aren't expanded. The
/// check protects recursive parsers from stack overflow. It doesn't report other errors.
///
/// - Parameters:
///   - bytes: The text.
///   - limit: The maximum depth.
/// - Returns: The depth: 1 for a single element.
/// - Complexity: O(*n*) in the number of bytes.
func xmlNesting(_ bytes: [UInt8], limit: Int) -> Int? {
  var open: [ArraySlice<UInt8>] = []
  var deepest = 0
  var rest = bytes[...]
  while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
    rest = rest[start...]
    if let end = endOfSkipped(rest) {
      rest = rest[end...]
      continue
    }
    guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
    let tag = rest[(start + 1)..<end]
    rest = rest[(end + 1)...]
    // Declarations such as DOCTYPE have no end tag.
    if tag.first == UInt8(ascii: "!") { continue }
    if tag.first == UInt8(ascii: "/") {
      guard let name = open.popLast(), name == elementName(tag.dropFirst()) else { return nil }
    } else {
      guard open.count < limit else { return nil }
      deepest = max(deepest, open.count + 1)
      if tag.last != UInt8(ascii: "/") { open.append(elementName(tag)) }
    }
  }
  return open.isEmpty ? deepest : nil
}

/// Returns the end of a comment, CDATA section or processing instruction at the start of a text.
///
/// Returns `nil` if the text starts with something else, and the text's end if the section isn't
/// closed.
private func endOfSkipped(_ text: ArraySlice<UInt8>) -> Int? {
  for (opening, closing) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]
  where text.starts(with: Array(opening.utf8)) {
    let mark = Array(closing.utf8)
    var index = text.startIndex + opening.utf8.count
    while index + mark.count <= text.endIndex {
      if text[index...].starts(with: mark) { return index + mark.count }
      index += 1
    }
    return text.endIndex
  }
  return nil
}

private func elementName(_ tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  tag.prefix { $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: "/") }
}
