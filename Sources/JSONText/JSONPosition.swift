/// A place in a text, as editors count it.
public struct JSONPosition: Hashable, Sendable {
  /// The line, from 1; a line ends with LF, CR LF or CR.
  public let line: Int

  /// The column in Unicode scalars, from 1; a tab is one column.
  public let column: Int

  /// Creates a position from a line and a column, both from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension JSONPosition: Comparable {
  public static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

extension JSONPosition: CustomStringConvertible {
  public var description: String { "\(line):\(column)" }
}
