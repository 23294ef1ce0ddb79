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
    let (mine, theirs) = (rawValue(at: column), other.rawValue(at: otherColumn))
    let type = sqlite3_value_type(mine)
    guard type == sqlite3_value_type(theirs) else { return false }
    switch type {
    case SQLITE_NULL: return true
    case SQLITE_INTEGER: return sqlite3_value_int64(mine) == sqlite3_value_int64(theirs)
    case SQLITE_FLOAT:
      return sqlite3_value_double(mine).bitPattern == sqlite3_value_double(theirs).bitPattern
    default: return isEqual(bytes(of: mine), other.bytes(of: theirs))
    }
  }

  /// Returns whether a column holds the same bytes as a column of another statement's row, each a text
  /// or a blob; anything else holds none.
  ///
  /// - Complexity: O(n) in the number of bytes.
  public func holdsBytes(
    at column: Int, of other: borrowing Statement, at otherColumn: Int
  ) -> Bool {
    isEqual(bytes(of: rawValue(at: column)), other.bytes(of: other.rawValue(at: otherColumn)))
  }

  /// Returns whether a column holds a value: the same storage class and the same bits.
  ///
  /// - Complexity: O(n) in the number of bytes.
  public func holds(at column: Int, _ value: Value) -> Bool {
    let mine = rawValue(at: column)
    let type = sqlite3_value_type(mine)
    switch value {
    case .null: return type == SQLITE_NULL
    case .integer(let number):
      return type == SQLITE_INTEGER && sqlite3_value_int64(mine) == number
    case .real(let number):
      return type == SQLITE_FLOAT && sqlite3_value_double(mine).bitPattern == number.bitPattern
    case .text(let text):
      return type == SQLITE_TEXT && text.withUnsafeBufferPointer { isEqual(bytes(of: mine), $0) }
    case .blob(let blob):
      return type == SQLITE_BLOB && blob.withUnsafeBufferPointer { isEqual(bytes(of: mine), $0) }
    }
  }
}

private func isEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>)
  -> Bool
{
  guard left.count == right.count else { return false }
  guard let one = left.baseAddress, let other = right.baseAddress else { return left.isEmpty }
  return memcmp(one, other, left.count) == 0
}
