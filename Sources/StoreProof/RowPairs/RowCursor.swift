package import SQLite

/// The rows of a query, one at a time.
package struct RowCursor: ~Copyable, KeyedRows {
  /// The order of the query's rows, by which they are paired.
  package enum Order {
    /// The integer in the first column.
    case key

    /// The integers in the first two columns.
    case link

    /// The order alone: each row is paired with the row at the same position.
    case place
  }

  /// The present row, if there is one.
  package private(set) var row: Statement

  private let order: Order

  /// The number of rows before the present one; `nil` after the last row.
  private var place: Int64?

  /// Starts a query at its first row; `nil` stands for a query without rows.
  package init(
    _ query: String?, by order: Order = .key, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var row = try connection.prepare(query ?? "SELECT 0 WHERE 0", isPersistent: true)
    place = try row.step() ? 0 : nil
    self.row = row
    self.order = order
  }

  package var key: RowKey? {
    guard let place else { return nil }
    return switch order {
    case .key: RowKey(row.int64(at: 0))
    case .link: RowKey(row.int64(at: 0), row.int64(at: 1))
    case .place: RowKey(place)
    }
  }

  package mutating func advance() throws(SQLiteError) {
    // Stepping a statement after its end would run it again.
    guard let place else { return }
    self.place = try row.step() ? place + 1 : nil
  }
}
