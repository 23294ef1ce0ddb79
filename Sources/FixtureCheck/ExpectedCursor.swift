import StoreProof

/// The expected rows, one at a time, in the order of a store's rows.
struct ExpectedCursor: ~Copyable, KeyedRows {
  private var rows: ExpectedRows

  /// The position of each entity's table in the store.
  private let places: [String: Int]

  /// The current row; `nil` after the last.
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
    // The order of entities that the store doesn't have isn't defined.
    guard let row, places[last.entity] != nil, places[row.entity] != nil else { return }
    guard key(of: last) < key(of: row) else {
      throw rows.error(
        "'\(row.entity)/\(row.key)' must come before '\(last.entity)/\(last.key)': rows are ordered by "
          + "entity, then by key")
    }
  }

  /// Returns a row's key; rows of entities that the store doesn't have come first.
  private func key(of row: RowText) -> RowKey { RowKey(Int64(places[row.entity] ?? -1), row.key) }
}
