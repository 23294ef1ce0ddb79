import CSQLite

extension Statement {
  /// The highest number of a parameter.
  package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// Sets the parameters from 1 on and the others to NULL.
  package mutating func bind(_ values: [Value]) throws(SQLiteError) {
    clearBindings()
    for (index, value) in values.enumerated() {
      try bind(value, at: index + 1)
    }
  }

  /// Sets a parameter.
  package mutating func bind(_ value: Value, at number: Int) throws(SQLiteError) {
    switch value {
    case .null: try bindNull(at: number)
    case .integer(let integer): try bindInt64(integer, at: number)
    case .real(let real): try bindDouble(real, at: number)
    case .text(let bytes): try bindText(bytes.span, at: number)
    case .blob(let bytes): try bindBlob(bytes.span, at: number)
    }
  }

  /// Sets a parameter to NULL.
  package mutating func bindNull(at number: Int) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, Int32(clamping: number)))
  }

  /// Sets a parameter to an integer.
  package mutating func bindInt64(_ value: Int64, at number: Int) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, Int32(clamping: number), value))
  }

  /// Sets a parameter to a real; NaN becomes NULL.
  package mutating func bindDouble(_ value: Double, at number: Int) throws(SQLiteError) {
    try check(sqlite3_bind_double(handle, Int32(clamping: number), value))
  }

  /// Sets a parameter to a text.
  package mutating func bindText(_ value: String, at number: Int) throws(SQLiteError) {
    var value = value
    let code = value.withUTF8 { text in
      csqlite_bind_text_copy(
        handle, Int32(clamping: number), text.baseAddress, UInt64(text.count))
    }
    try check(code)
  }

  /// Sets a parameter to a text of these bytes, whether they are UTF-8 or not.
  package mutating func bindText(_ bytes: Span<UInt8>, at number: Int) throws(SQLiteError) {
    let code = bytes.withUnsafeBufferPointer { bytes in
      csqlite_bind_text_copy(
        handle, Int32(clamping: number), bytes.baseAddress, UInt64(bytes.count))
    }
    try check(code)
  }

  /// Sets a parameter to a blob.
  package mutating func bindBlob(_ bytes: Span<UInt8>, at number: Int) throws(SQLiteError) {
    let code = bytes.withUnsafeBufferPointer { bytes in
      csqlite_bind_blob_copy(
        handle, Int32(clamping: number), bytes.baseAddress, UInt64(bytes.count))
    }
    try check(code)
  }

  /// Sets a parameter to what stands in a column of another statement's row, unchanged.
  ///
  /// A text or blob is lent, not copied: this statement is run, or bound anew, before the other one
  /// moves on.
  ///
  /// - Precondition: The other statement has a row and the column.
  package mutating func bindColumn(
    of other: borrowing Statement, column: Int, at number: Int
  ) throws(SQLiteError) {
    let (place, cell) = (Int32(clamping: number), other.cell(at: column))
    switch cell.type {
    case SQLITE_INTEGER: try check(sqlite3_bind_int64(handle, place, Int64(bitPattern: cell.word)))
    case SQLITE_FLOAT:
      try check(sqlite3_bind_double(handle, place, Double(bitPattern: cell.word)))
    case SQLITE_TEXT: try check(csqlite_bind_text_lent(handle, place, cell.bytes, cell.word))
    case SQLITE_BLOB: try check(csqlite_bind_blob_lent(handle, place, cell.bytes, cell.word))
    default: try check(sqlite3_bind_null(handle, place))
    }
  }

  /// Sets a parameter to a text of the bytes in a column of another statement's row.
  ///
  /// They are lent as ``bindColumn(of:column:at:)`` lends them.
  ///
  /// - Precondition: The other statement has a row and the column.
  package mutating func bindTextColumn(
    of other: borrowing Statement, column: Int, at number: Int
  ) throws(SQLiteError) {
    let bytes = other.cell(at: column).buffer
    let place = Int32(clamping: number)
    try check(csqlite_bind_text_lent(handle, place, bytes.baseAddress, UInt64(bytes.count)))
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw failure(code) }
  }
}
