import OutboxConversion
import StoreProof

/// The expected rows, one at a time, in the order of a store's.
struct ExpectedCursor: ~Copyable, KeyedRows {
  private var rows: ExpectedRows

  /// The place of each entity among the others.
  private let places: [String: Int]

  /// The present row; `nil` after the last.
  private(set) var row: RowText?

  /// Begins at the first row.
  init(_ rows: consuming ExpectedRows, places: [String: Int]) throws {
    let first = try rows.next()
    self.rows = rows
    self.places = places
    row = first
  }

  var key: RowKey? {
    guard let row else { return nil }
    return key(of: row)
  }

  mutating func advance() throws {
    guard let last = row else { return }
    row = try rows.next()
    guard let row, places[last.entity] != nil, places[row.entity] != nil else { return }
    guard key(of: last) < key(of: row) else {
      throw rows.error(
        "'\(row.entity)/\(row.key)' can't stand after '\(last.entity)/\(last.key)'; rows go by "
          + "the order of entities, then keys")
    }
  }

  /// Rows of entities that the store doesn't know come first.
  private func key(of row: RowText) -> RowKey { RowKey(Int64(places[row.entity] ?? -1), row.key) }
}
