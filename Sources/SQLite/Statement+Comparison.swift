import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

extension Statement {
  /// Returns whether a column has the same value as a column of another statement's row.
  ///
  /// Values are the same if they have the same storage class and the same bits: 1 and 1.0 differ,
  /// and so do a text and a blob with equal bytes. Nothing is copied.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  package func holds(
    at column: Int, sameAs other: borrowing Statement, at otherColumn: Int
  ) -> Bool {
    cell(at: column).isSame(as: other.cell(at: otherColumn))
  }

  /// Returns whether two columns have the same bytes, in texts or blobs.
  ///
  /// Other values have no bytes.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  package func holdsBytes(
    at column: Int, of other: borrowing Statement, at otherColumn: Int
  ) -> Bool {
    cell(at: column).buffer.holdsSameBytes(as: other.cell(at: otherColumn).buffer)
  }

  /// Returns whether a column has a value: the same storage class and the same bits.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  package func holds(at column: Int, _ value: Value) -> Bool {
    let mine = cell(at: column)
    switch value {
    case .null: return mine.type == SQLITE_NULL
    case .integer(let number):
      return mine.type == SQLITE_INTEGER && mine.word == UInt64(bitPattern: number)
    case .real(let number):
      return mine.type == SQLITE_FLOAT && mine.word == number.bitPattern
    case .text(let text):
      return mine.type == SQLITE_TEXT
        && text.withUnsafeBufferPointer { mine.buffer.holdsSameBytes(as: $0) }
    case .blob(let blob):
      return mine.type == SQLITE_BLOB
        && blob.withUnsafeBufferPointer { mine.buffer.holdsSameBytes(as: $0) }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  func holdsSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let one = baseAddress, let another = other.baseAddress else { return isEmpty }
    return memcmp(one, another, count) == 0
  }
}
