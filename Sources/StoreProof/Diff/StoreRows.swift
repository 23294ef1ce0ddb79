import SQLite
import StoreAccess

/// The rows of a query on one of two stores; errors name the store.
struct StoreRows: ~Copyable, KeyedRows {
  private var cursor: RowCursor
  private let path: String

  /// Starts a query on a store; `nil` stands for a query without rows.
  package init(
    _ query: String?, by order: RowCursor.Order = .key, of path: String,
    _ connection: borrowing Connection
  ) throws(StoreAccessError) {
    do throws(SQLiteError) {
      let cursor = try RowCursor(query, by: order, connection)
      self.cursor = cursor
      self.path = path
    } catch {
      throw StoreAccessError(error, path: path)
    }
  }

  /// The present row, if there is one.
  package var row: Statement { _read { yield cursor.row } }

  package var key: RowKey? { cursor.key }

  package mutating func advance() throws(StoreAccessError) {
    do throws(SQLiteError) {
      try cursor.advance()
    } catch {
      throw StoreAccessError(error, path: path)
    }
  }
}
