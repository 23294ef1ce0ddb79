import CSQLite

extension Statement {
  /// Returns the name of a result column.
  package func columnName(at column: Int) -> String {
    let index = checkedColumn(column)
    return sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
  }

  /// The names of all columns.
  package var columnNames: [String] { (0..<columnCount).map { columnName(at: $0) } }

  /// Returns the storage class of a column's value.
  package func type(at column: Int) -> StorageClass {
    StorageClass(code: cell(at: column).type)
  }

  /// Returns whether a column is NULL.
  package func isNull(at column: Int) -> Bool {
    cell(at: column).type == SQLITE_NULL
  }

  /// Returns a column as an integer; SQLite converts other values, NULL to 0.
  package func int64(at column: Int) -> Int64 {
    let cell = cell(at: column)
    return cell.type == SQLITE_INTEGER
      ? Int64(bitPattern: cell.word) : sqlite3_column_int64(handle, checkedColumn(column))
  }

  /// Returns a column as a real; SQLite converts other values, NULL to 0.
  package func double(at column: Int) -> Double {
    let cell = cell(at: column)
    return cell.type == SQLITE_FLOAT
      ? Double(bitPattern: cell.word) : sqlite3_column_double(handle, checkedColumn(column))
  }

  /// Returns the text in a column, or `nil` if the value isn't a text.
  ///
  /// Invalid UTF-8 becomes U+FFFD. To write a text back to a file, use ``withBytes(at:_:)``,
  /// ``value(at:)`` or ``bindColumn(of:column:at:)``.
  package func string(at column: Int) -> String? {
    guard type(at: column) == .text else { return nil }
    return withBytes(at: column) { bytes in
      bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Returns the number of bytes of a text or blob; 0 for other values.
  package func byteCount(at column: Int) -> Int {
    cell(at: column).buffer.count
  }

  /// Passes the bytes of a text or blob to a closure, without copying.
  ///
  /// Texts are in UTF-8, regardless of the database encoding. Other values have no bytes.
  @inlinable
  package func withBytes<Result: ~Copyable, Failure: Error>(
    at column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(buffer(at: column).span)
  }

  /// Returns a copy of a column's value.
  package func value(at column: Int) -> Value {
    switch type(at: column) {
    case .null: .null
    case .integer: .integer(int64(at: column))
    case .real: .real(double(at: column))
    case .text: .text(bytes(at: column))
    case .blob: .blob(bytes(at: column))
    }
  }

  /// Returns a copy of the bytes of a text or blob; other values have no bytes.
  package func bytes(at column: Int) -> [UInt8] {
    withBytes(at: column) { bytes in bytes.withUnsafeBufferPointer { Array($0) } }
  }

  func checkedColumn(_ column: Int) -> Int32 {
    precondition(column >= 0 && column < columnCount, "column index out of range")
    return Int32(truncatingIfNeeded: column)
  }

  /// The bytes of a text or blob in a column of the current row; empty for other values.
  @usableFromInline
  func buffer(at column: Int) -> UnsafeBufferPointer<UInt8> { cell(at: column).buffer }

  /// The value in a column of the current row, as read by the last step.
  func cell(at column: Int) -> csqlite_cell { cells[Int(checkedColumn(column))] }
}

extension csqlite_cell {
  /// The bytes of a text or blob; empty for other values.
  var buffer: UnsafeBufferPointer<UInt8> {
    guard type == SQLITE_TEXT || type == SQLITE_BLOB, let bytes else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(
      start: bytes.assumingMemoryBound(to: UInt8.self), count: Int(truncatingIfNeeded: word))
  }

  /// Returns whether two values have the same storage class and the same bits.
  func isSame(as other: csqlite_cell) -> Bool {
    guard type == other.type else { return false }
    switch type {
    case SQLITE_NULL: return true
    case SQLITE_INTEGER, SQLITE_FLOAT: return word == other.word
    default: return buffer.holdsSameBytes(as: other.buffer)
    }
  }
}
