/// A position in a text, as editors show it.
package struct TextPosition: Hashable, Sendable {
  /// The line, from 1; LF, CR LF and CR end lines.
  package let line: Int

  /// The column in Unicode scalars, from 1; a tab counts as one.
  package let column: Int

  /// Creates a position; both numbers start at 1.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The start of a text.
  package static let start = TextPosition(line: 1, column: 1)
}

extension TextPosition: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

extension TextPosition: CustomStringConvertible {
  package var description: String { "\(line):\(column)" }
}
