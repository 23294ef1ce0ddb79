import JSONText

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

  /// Parses a document of at most 8 MiB with Expat.
  ///
  /// Nothing but the bytes is read: a document type is an error, so there are no entities to load
  /// or to expand. Comments and processing instructions are ignored.
  ///
  /// Related documentation: <https://libexpat.github.io/doc/>
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
    guard let reader = XMLReader(limits: limits) else {
      throw XMLError(position: .start, reason: "there isn't enough memory for the text")
    }
    reader.parse(bytes)
    if let error = reader.error { throw error }
    guard let root = reader.root else {
      throw XMLError(position: .start, reason: "the text is empty; expected an element")
    }
    self = root
  }
}
