/// A mistake in a JSON document, and its place.
package struct JSONError: Error, Hashable, Sendable {
  /// The name of the file, as the user typed it; `nil` if the text came from elsewhere.
  package let file: String?

  /// The place of the mistake.
  package let position: JSONPosition

  /// What is wrong there.
  package let reason: Reason

  /// Creates an error from a place and a reason.
  package init(file: String?, position: JSONPosition, reason: Reason) {
    self.file = file
    self.position = position
    self.reason = reason
  }

  /// What can be wrong with a document.
  package enum Reason: Hashable, Sendable {
    // The text isn't JSON.
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

    // The text is JSON past what is read here.
    case tooLarge(byteCount: Int, limit: Int)
    case tooDeep(limit: Int)

    // The document isn't what its reader asked for.
    case wrongType(String, found: String)
    case missingKey(String)
    case unknownKey(String, nearest: String?)
    case unknownName(String, nearest: String?)
    case numberOutOfRange(String)

    /// A sentence of the document's reader: lower case, no final period.
    case rejected(String)
  }
}
