/// A word or sign of Swift source.
struct SwiftToken {
  enum Kind {
    case identifier

    /// An identifier between backquotes, which is no keyword.
    case quoted
    case number

    /// A literal's text between its quotes.
    case string

    /// One character of an operator or of punctuation.
    case symbol
  }

  let kind: Kind
  let text: String

  /// The line that the token starts in, from 1.
  let line: Int

  /// Whether no space stands before the token.
  let isAdjacent: Bool

  func `is`(_ word: String) -> Bool { kind != .string && kind != .quoted && text == word }
}

/// Consecutive lines of one kind of comment.
struct Comment {
  /// The lines without their signs, in order.
  var lines: [String]

  /// The line that the comment starts in, from 1.
  let line: Int
  let isDocumentation: Bool
}
