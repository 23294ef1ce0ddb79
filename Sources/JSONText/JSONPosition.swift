/// A place in a text, as editors count it.
package struct JSONPosition: Hashable, Sendable {
  /// The line, from 1; a line ends with LF, CR LF or CR.
  package let line: Int

  /// The column in Unicode scalars, from 1; a tab is one column.
  package let column: Int

  /// Creates a position from a line and a column, both from 1.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension JSONPosition: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

extension JSONPosition: CustomStringConvertible {
  package var description: String { "\(line):\(column)" }
}
