/// Rows that are read one at a time, in the order of their keys.
package protocol KeyedRows: ~Copyable {
  /// The key of the present row; `nil` after the last row.
  var key: RowKey? { get }

  /// Moves to the next row; after the last row it does nothing.
  mutating func advance() throws
}

/// The key by which rows are paired: a primary key, the two keys of a link, or a position.
package struct RowKey: Hashable, Comparable, Sendable {
  package let first: Int64
  package let second: Int64

  package init(_ first: Int64, _ second: Int64 = 0) { (self.first, self.second) = (first, second) }

  package static func < (left: RowKey, right: RowKey) -> Bool {
    left.first < right.first || left.first == right.first && left.second < right.second
  }
}
