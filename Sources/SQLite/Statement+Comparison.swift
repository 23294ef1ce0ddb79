import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Statement {
  /// Returns whether a column holds the same value as a column of another statement's row.
  ///
  /// The same means the same storage class and the same bits: 1 and 1.0 differ, so do a text and a
  /// blob of equal bytes. Nothing is copied.
  ///
  /// - Complexity: O(n) in the number of bytes.
  public func holds(
    at column: Int, sameAs other: borrowing Statement, at otherColumn: Int
  ) -> Bool {
    let (mine, theirs) = (checkedColumn(column), other.checkedColumn(otherColumn))
    let type = sqlite3_column_type(handle, mine)
    guard type == sqlite3_column_type(other.handle, theirs) else { return false }
    switch type {
    case SQLITE_NULL: return true
    case SQLITE_INTEGER:
      return sqlite3_column_int64(handle, mine) == sqlite3_column_int64(other.handle, theirs)
    case SQLITE_FLOAT:
      return sqlite3_column_double(handle, mine).bitPattern
        == sqlite3_column_double(other.handle, theirs).bitPattern
    default:
      // Both files are read as UTF-8 here, so a text's bytes can be asked for as a blob's.
      let (left, right) = (
        sqlite3_column_blob(handle, mine), sqlite3_column_blob(other.handle, theirs)
      )
      let count = sqlite3_column_bytes(handle, mine)
      guard count == sqlite3_column_bytes(other.handle, theirs) else { return false }
      guard count > 0, let left, let right else { return count == 0 }
      return memcmp(left, right, Int(count)) == 0
    }
  }
}
