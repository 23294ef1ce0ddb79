import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Statement {
  /// Returns whether a column has the same value as a column of another statement's row.
  ///
  /// Nothing is copied.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  package func holds(
    at column: Int, sameAs other: borrowing Statement, at otherColumn: Int, by equality: Equality
  ) -> Bool {
    let (mine, theirs) = (cell(at: column), other.cell(at: otherColumn))
    return switch equality {
    case .identical: mine.isSame(as: theirs)
    case .content: mine.isSame(as: theirs) || mine.isSameNumber(as: theirs)
    case .bytes: mine.buffer.holdsSameBytes(as: theirs.buffer)
    }
  }

  /// Returns whether columns hold the same values as the same columns of another statement's row.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  // An array, not any sequence: other targets would call generic code, which costs more than the comparison.
  package func holds(
    at columns: [Int], sameAs other: borrowing Statement, by equality: Equality
  ) -> Bool {
    for column in columns where !holds(at: column, sameAs: other, at: column, by: equality) {
      return false
    }
    return true
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

extension csqlite_cell {
  /// Returns whether two values are the same number, each an integer or a real.
  fileprivate func isSameNumber(as other: csqlite_cell) -> Bool {
    switch (type, other.type) {
    case (SQLITE_INTEGER, SQLITE_FLOAT):
      Int64(exactly: Double(bitPattern: other.word)) == Int64(bitPattern: word)
    case (SQLITE_FLOAT, SQLITE_INTEGER): other.isSameNumber(as: self)
    case (SQLITE_FLOAT, SQLITE_FLOAT):
      Double(bitPattern: word) == Double(bitPattern: other.word)
    default: false
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
