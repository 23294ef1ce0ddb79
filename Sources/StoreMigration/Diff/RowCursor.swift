import SQLite
import StoreFormat
import Migrations
import StoreAccess
import RowRewriting

/// The rows of a query, one at a time.
struct RowCursor: ~Copyable {
  /// The row, where there is one.
  private(set) var row: Statement

  /// A Boolean value indicating whether there is a row.
  private(set) var hasRow: Bool

  private let path: String

  private init(row: consuming Statement, hasRow: Bool, path: String) {
    self.row = row
    self.hasRow = hasRow
    self.path = path
  }

  /// Begins a query on the store at a path, or on no table at all.
  static func open(
    _ query: String?, _ connection: borrowing Connection, path: String
  ) throws(StoreAccessError) -> RowCursor {
    do throws(SQLiteError) {
      var row = try connection.prepare(query ?? "SELECT 0 WHERE 0", isPersistent: true)
      let hasRow = try row.step()
      return RowCursor(row: row, hasRow: hasRow, path: path)
    } catch {
      throw StoreAccessError(error, path: path)
    }
  }

  /// Goes on to the next row.
  mutating func advance() throws(StoreAccessError) {
    do throws(SQLiteError) {
      hasRow = try row.step()
    } catch {
      throw StoreAccessError(error, path: path)
    }
  }
}

extension Statement {
  /// Returns whether two columns hold the same content.
  ///
  /// A number is the same whether it is stored as an integer or a real: SQLite keeps a date of whole
  /// seconds as an integer in some columns. A text and a blob of equal bytes differ.
  func holdsContent(
    at column: Int, of other: borrowing Statement, at otherColumn: Int
  ) -> Bool {
    if holds(at: column, sameAs: other, at: otherColumn) { return true }
    switch (type(at: column), other.type(at: otherColumn)) {
    case (.integer, .real):
      return Int64(exactly: other.double(at: otherColumn)) == int64(at: column)
    case (.real, .integer):
      return Int64(exactly: double(at: column)) == other.int64(at: otherColumn)
    case (.real, .real): return double(at: column) == other.double(at: otherColumn)
    default: return false
    }
  }
}
