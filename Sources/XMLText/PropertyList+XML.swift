import JSONText
import Platform
package import PropertyList

extension PropertyList {
  /// The limits of a property list.
  private static let xmlLimits = XMLLimits(
    byteCount: 64 << 20, depth: 250, elementCount: 1_000_000, allowsDocumentType: true)

  /// Parses a property list in XML.
  ///
  /// A list has at most 64 MiB, 1,000,000 elements and 250 levels. Declarations in the document type
  /// are errors. UIDs, which XML writes as dictionaries, are read as dictionaries.
  ///
  /// Related documentation: `man 5 plist`
  ///
  /// - Parameter bytes: The text, in UTF-8.
  /// - Throws: An ``XMLError`` with the position of the first error.
  /// - Complexity: O(*n*) in the number of bytes.
  package init(xml bytes: [UInt8]) throws(XMLError) {
    let root = try XMLElement(parsing: bytes, limits: Self.xmlLimits)
    guard root.name == "plist" else {
      throw root.error("expected the element 'plist', not '\(root.name)'")
    }
    guard root.children.count == 1, !root.hasText else {
      throw root.error("expected one element in 'plist'")
    }
    self = try root.children[0].propertyList()
  }
}

extension XMLElement {
  fileprivate func error(_ reason: String) -> XMLError {
    XMLError(position: position, reason: reason)
  }

  /// Returns the value that this element of a property list stands for.
  fileprivate func propertyList() throws(XMLError) -> PropertyList {
    switch name {
    case "dict": return .dictionary(try entries())
    case "array":
      guard !hasText else { throw error("there is text between the elements") }
      return .array(
        try children.map { (element) throws(XMLError) in try element.propertyList() })
    default: break
    }
    guard children.isEmpty else { throw error("'\(name)' can't contain elements") }
    let words = text.split(whereSeparator: \.isWhitespace)
    let word = words.count == 1 ? String(words[0]) : ""
    let value: PropertyList? =
      switch name {
      case "string": .string(text)
      case "integer": Int64(word).map { .integer($0) } ?? UInt64(word).map { .unsigned($0) }
      case "real": Double(word).map { .real($0) }
      case "true", "false": words.isEmpty ? .boolean(name == "true") : nil
      case "date": Timestamp(text: word).map { .date($0.secondsSince2001) }
      case "data": base64Decoded(words.joined()).map { .data($0) }
      default: throw error("a property list has no element '\(name)'")
      }
    guard let value else { throw error("the text isn't one of the type '\(name)'") }
    return value
  }

  /// Returns the keys and values of a dictionary.
  private func entries() throws(XMLError) -> [String: PropertyList] {
    guard !hasText else { throw error("there is text between the elements") }
    var entries: [String: PropertyList] = [:]
    var rest = children[...]
    while let key = rest.popFirst() {
      guard key.name == "key", key.children.isEmpty else {
        throw key.error("expected the element 'key', not '\(key.name)'")
      }
      guard let value = rest.popFirst() else { throw key.error("the key has no value") }
      guard entries.updateValue(try value.propertyList(), forKey: key.text) == nil else {
        throw key.error("the key occurs twice")
      }
    }
    return entries
  }
}
