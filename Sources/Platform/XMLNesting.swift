/// Returns how deep the elements of an XML text are nested.
///
/// None if one isn't closed by a tag of its name, or the text is deeper than a limit.
///
/// Comments, CDATA sections and processing instructions don't count. Entities aren't expanded. It guards readers
/// that call themselves for each level, and leaves every other mistake to them.
///
/// - Parameters:
///   - bytes: The text.
///   - limit: The levels past which it isn't read.
/// - Returns: The deepest level: 1 for a lone element.
/// - Complexity: O(*n*) in the number of bytes, with memory for the names of the open elements.
func xmlNesting(_ bytes: [UInt8], limit: Int) -> Int? {
  var open: [ArraySlice<UInt8>] = []
  var deepest = 0
  var rest = bytes[...]
  while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
    rest = rest[start...]
    if let end = endOfAside(rest) {
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

/// Where a comment, a CDATA section or a processing instruction ends that a text begins with.
///
/// An open one reaches to the text's end.
private func endOfAside(_ text: ArraySlice<UInt8>) -> Int? {
  for (opening, closing) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]
  where text.starts(with: Array(opening.utf8)) {
    let mark = Array(closing.utf8)
    var place = text.startIndex + opening.utf8.count
    while place + mark.count <= text.endIndex {
      if text[place...].starts(with: mark) { return place + mark.count }
      place += 1
    }
    return text.endIndex
  }
  return nil
}

private func elementName(_ tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  tag.prefix { $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: "/") }
}
