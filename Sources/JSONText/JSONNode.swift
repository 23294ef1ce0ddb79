/// A value in a JSON document, and its place.
package struct JSONNode: Hashable, Sendable {
  /// What the value is.
  package let value: Value

  /// The place of the value's first character.
  package let position: JSONPosition

  /// The name of the file, for errors.
  package let file: String?

  /// Creates a node from its parts.
  package init(value: Value, position: JSONPosition, file: String? = nil) {
    self.value = value
    self.position = position
    self.file = file
  }

  /// A JSON value; numbers keep their spelling, objects their order.
  package enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([Member])
  }

  /// A key and its value in an object.
  package struct Member: Hashable, Sendable {
    /// The key, its escapes resolved.
    package let key: String

    /// The place of the quote before the key.
    package let position: JSONPosition

    /// The value.
    package let node: JSONNode

    /// Creates a member from its parts.
    package init(key: String, position: JSONPosition, node: JSONNode) {
      self.key = key
      self.position = position
      self.node = node
    }
  }
}

extension JSONNode {
  /// The most bytes a document has unless its reader says otherwise: 64 MiB.
  package static let defaultMaximumByteCount = 64 << 20

  /// Reads a document, strictly.
  ///
  /// The text must be one JSON value (RFC 8259) in UTF-8 without a byte order mark, at most
  /// ``maximumJSONDepth`` levels deep. Beyond the grammar, these are errors: a key that appears
  /// twice in an object (canonically equivalent keys are the same), and half a surrogate pair.
  /// - Parameters:
  ///   - bytes: the whole text.
  ///   - file: the name that errors begin with.
  ///   - maximumByteCount: the size past which the text isn't read.
  /// - Throws: the first mistake in the text.
  /// - Complexity: O(*n*) in the number of bytes.
  package init(
    parsing bytes: [UInt8],
    file: String? = nil,
    maximumByteCount: Int = defaultMaximumByteCount
  ) throws(JSONError) {
    var reader = JSONReader(bytes: bytes, file: file)
    self = try reader.document(maximumByteCount: maximumByteCount)
  }

  /// Reads a document from a string, as strictly as from bytes.
  package init(parsing text: String, file: String? = nil) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), file: file, maximumByteCount: .max)
  }

  /// An error at this value, worded by its reader: lower case, no final period.
  package func error(_ sentence: String) -> JSONError { error(.rejected(sentence)) }

  /// An error at this value.
  package func error(_ reason: JSONError.Reason) -> JSONError {
    JSONError(file: file, position: position, reason: reason)
  }

  /// What the value is, in words, as in `expected an object`.
  package var typeDescription: String {
    switch value {
    case .null: "null"
    case .bool: "a Boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
