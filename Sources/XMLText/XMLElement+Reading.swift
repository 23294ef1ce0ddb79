/// What a document may have.
struct XMLLimits {
  /// The maximum size in bytes.
  let byteCount: Int

  /// The maximum nesting depth; 1 for a single element.
  let depth: Int

  /// The maximum number of elements.
  let elementCount: Int

  /// Whether a document type may be named; it can't contain declarations, and nothing is loaded.
  let allowsDocumentType: Bool
}

extension XMLElement {
  /// The maximum size of a model in bytes; the largest known model has 120,000.
  package static let maximumByteCount = 8 << 20

  /// The maximum number of `=` in a tag.
  ///
  /// libxml2 compares each attribute of an element with all others.
  private static let mostEqualSigns = 5_000

  /// Parses a document of at most 8 MiB with libxml2.
  ///
  /// Nothing but the bytes is read: a document type is an error, so there are no entities to load
  /// or to expand. Comments and processing instructions are ignored.
  ///
  /// Related documentation: <https://gnome.pages.gitlab.gnome.org/libxml2/html/>
  ///
  /// - Parameter bytes: The document in UTF-8.
  /// - Throws: An ``XMLError`` with the position of the first error.
  /// - Complexity: O(*n*) in the number of bytes.
  package init(parsing bytes: [UInt8]) throws(XMLError) {
    try self.init(
      parsing: bytes,
      limits: XMLLimits(
        byteCount: Self.maximumByteCount, depth: 64, elementCount: 200_000,
        allowsDocumentType: false))
  }

  /// Parses a document within limits.
  init(parsing bytes: [UInt8], limits: XMLLimits) throws(XMLError) {
    guard bytes.count <= limits.byteCount else {
      throw XMLError(
        position: .start,
        reason: "the text has \(bytes.count) bytes; the limit is \(limits.byteCount)")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw XMLError(position: .start, reason: "the bytes are not UTF-8; save the text as UTF-8")
    }
    // libxml2 takes a NUL byte after the root element for the end of the text.
    if let offset = bytes.firstIndex(of: 0) {
      throw XMLError(
        position: XMLPosition(of: offset, in: bytes), reason: "there is a NUL byte; remove it")
    }
    if let name = Self.declaredEncoding(bytes), name.lowercased() != "utf-8" {
      throw XMLError(
        position: .start, reason: "the declared encoding is '\(name)'; save the text as UTF-8")
    }
    guard !Self.hasCrowdedTag(bytes) else {
      throw XMLError(position: .start, reason: "an element has too many attributes")
    }
    let reader = XMLReader(bytes: bytes, limits: limits)
    reader.parse()
    if let error = reader.error { throw error }
    guard let root = reader.root else {
      throw XMLError(position: .start, reason: "the text is empty; expected an element")
    }
    self = root
  }

  /// Returns the encoding in the declaration `<?xml encoding="…"?>`, or `nil` without one.
  ///
  /// libxml2 would decode valid UTF-8 as another encoding, and so change names.
  private static func declaredEncoding(_ bytes: [UInt8]) -> String? {
    let start = String(decoding: bytes.prefix(200), as: UTF8.self)
    let declaration = /^\u{FEFF}?<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"']*)/
    return start.firstMatch(of: declaration).map { String($0.1) }
  }

  /// Returns whether a tag may have too many attributes; comments don't count.
  private static func hasCrowdedTag(_ bytes: [UInt8]) -> Bool {
    var count = 0
    var isTag = false
    var last: UInt8 = 0
    for byte in bytes {
      if last == UInt8(ascii: "<") { (count, isTag) = (0, byte != UInt8(ascii: "!")) }
      if isTag, byte == UInt8(ascii: "=") { count += 1 }
      if count > mostEqualSigns { return true }
      last = byte
    }
    return false
  }
}
