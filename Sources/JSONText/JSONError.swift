/// An error in a JSON document, and its position.
package struct JSONError: Error, Hashable, Sendable {
  /// The name of the file as the user typed it, or `nil` if the text isn't from a file.
  package let file: String?

  /// The position of the error.
  package let position: TextPosition

  /// The reason.
  package let reason: Reason

  /// Creates an error.
  package init(file: String?, position: TextPosition, reason: Reason) {
    self.file = file
    self.position = position
    self.reason = reason
  }

  /// The reason for an error in a JSON document.
  package enum Reason: Hashable, Sendable {
    // The text isn't valid JSON.
    case byteOrderMark
    case invalidUTF8
    case empty
    case expected(String, found: String?)
    case trailingComma
    case trailingText
    case comment
    case invalidNumber
    case invalidEscape
    case unpairedSurrogate
    case controlCharacter(UInt8)
    case duplicateKey(String, firstLine: Int)

    // The text exceeds a limit of the reader.
    case tooLarge(byteCount: Int, limit: Int)
    case tooDeep(limit: Int)

    // The document doesn't have the expected content.
    case wrongType(String, found: String)
    case missingKey(String)
    case unknownKey(String, nearest: String?)
    case unknownName(String, nearest: String?)
    case numberOutOfRange(String)

    /// A message of the code that interprets the document: lowercase, without a final period.
    case rejected(String)
  }
}
