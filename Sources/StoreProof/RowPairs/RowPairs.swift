/// Reads two sets of rows side by side, in the order of their keys.
///
/// It holds one row of each set. If one of the sets is a pair itself, three sets are read, and the
/// key is the lowest of theirs.
package struct RowPairs<First: KeyedRows & ~Copyable, Second: KeyedRows & ~Copyable>: ~Copyable,
  KeyedRows
{
  /// The sets that have a row with the present key.
  package enum Match: Hashable {
    case onlyInFirst
    case onlyInSecond
    case both
  }

  package private(set) var first: First
  package private(set) var second: Second

  /// The sets that have a row with the present key; `nil` after the last key.
  package private(set) var match: Match?

  /// Whether ``next()`` has returned the first key.
  private var hasBegun = false

  /// Starts at the first row of each set.
  package init(_ first: consuming First, _ second: consuming Second) {
    match = Self.match(first.key, second.key)
    self.first = first
    self.second = second
  }

  /// The present key; `nil` after the last key.
  package var key: RowKey? { match == .onlyInSecond ? second.key : first.key }

  /// Moves to the next key, initially the first, and returns which sets have a row with it.
  package mutating func next() throws -> Match? {
    if hasBegun { try advance() }
    hasBegun = true
    return match
  }

  package mutating func advance() throws {
    if match != .onlyInSecond { try first.advance() }
    if match != .onlyInFirst { try second.advance() }
    match = Self.match(first.key, second.key)
  }

  private static func match(_ first: RowKey?, _ second: RowKey?) -> Match? {
    guard let first else { return second.map { _ in .onlyInSecond } }
    guard let second else { return .onlyInFirst }
    return first < second ? .onlyInFirst : second < first ? .onlyInSecond : .both
  }
}

/// The rows of two queries side by side.
package typealias QueryPairs = RowPairs<RowCursor, RowCursor>
