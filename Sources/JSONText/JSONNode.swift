/// A value in a JSON document, and its position.
package struct JSONNode: Hashable, Sendable {
  /// The value.
  package let value: Value

  /// The position of the value's first character.
  package let position: TextPosition

  /// The name of the file, for error messages.
  package let file: String?

  /// Creates a node.
  package init(value: Value, position: TextPosition, file: String? = nil) {
    self.value = value
    self.position = position
    self.file = file
  }

  /// A JSON value; numbers keep their spelling, and objects the order of their members.
  package enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([Member])
  }

  /// A key of an object, and its value.
  package struct Member: Hashable, Sendable {
    /// The key, with escapes resolved.
    package let key: String

    /// The position of the key's opening quote.
    package let position: TextPosition

    /// The value.
    package let node: JSONNode

    /// Creates a member.
    package init(key: String, position: TextPosition, node: JSONNode) {
      self.key = key
      self.position = position
      self.node = node
    }
  }
}

extension JSONNode {
  /// The default maximum size of a document: 64 MiB.
  package static let defaultMaximumByteCount = 64 << 20

  /// Parses a JSON document strictly.
  ///
  /// The text must be one JSON value (RFC 8259) in UTF-8 without a byte order mark, at most
  /// ``maximumJSONDepth`` levels deep. Duplicate keys in an object and unpaired surrogates are
  /// errors, too. Keys are duplicates if they are canonically equivalent.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - file: The name of the file, for error messages.
  ///   - maximumByteCount: The maximum size in bytes.
  /// - Throws: The first error in the text.
  /// - Complexity: O(*n*) in the number of bytes.
  package init(
    parsing bytes: [UInt8],
    file: String? = nil,
    maximumByteCount: Int = defaultMaximumByteCount
  ) throws(JSONError) {
    var reader = JSONReader(bytes: bytes, file: file)
    self = try reader.document(maximumByteCount: maximumByteCount)
  }

  /// Parses a JSON document strictly from a string.
  package init(parsing text: String, file: String? = nil) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), file: file, maximumByteCount: .max)
  }

  /// Returns an error at this value with a message: lowercase, without a final period.
  package func error(_ sentence: String) -> JSONError { error(.rejected(sentence)) }

  /// Returns an error at this value.
  package func error(_ reason: JSONError.Reason) -> JSONError {
    JSONError(file: file, position: position, reason: reason)
  }

  /// The type of the value in words, as in `expected an object`.
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
