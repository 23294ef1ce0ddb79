import CSQLite

extension Statement {
  /// The highest parameter number.
  package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// Binds values to the parameters from 1 on, and NULL to the others.
  package mutating func bind(_ values: [Value]) throws(SQLiteError) {
    clearBindings()
    for (index, value) in values.enumerated() {
      try bind(value, at: index + 1)
    }
  }

  /// Binds a value to a parameter; parameters are numbered from 1.
  package mutating func bind(_ value: Value, at number: Int) throws(SQLiteError) {
    switch value {
    case .null: try bindNull(at: number)
    case .integer(let integer): try bindInt64(integer, at: number)
    case .real(let real): try bindDouble(real, at: number)
    case .text(let bytes): try bindText(bytes.span, at: number)
    case .blob(let bytes): try bindBlob(bytes.span, at: number)
    }
  }

  /// Binds NULL to a parameter.
  package mutating func bindNull(at number: Int) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, Int32(clamping: number)))
  }

  /// Binds an integer to a parameter.
  package mutating func bindInt64(_ value: Int64, at number: Int) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, Int32(clamping: number), value))
  }

  /// Binds a real to a parameter; SQLite stores NaN as NULL.
  package mutating func bindDouble(_ value: Double, at number: Int) throws(SQLiteError) {
    try check(sqlite3_bind_double(handle, Int32(clamping: number), value))
  }

  /// Binds a text to a parameter.
  package mutating func bindText(_ value: String, at number: Int) throws(SQLiteError) {
    var value = value
    let code = value.withUTF8 { text in
      csqlite_bind_text_copy(
        handle, Int32(clamping: number), text.baseAddress, UInt64(text.count))
    }
    try check(code)
  }

  /// Binds a text to a parameter; the bytes needn't be valid UTF-8.
  package mutating func bindText(_ bytes: Span<UInt8>, at number: Int) throws(SQLiteError) {
    let code = bytes.withUnsafeBufferPointer { bytes in
      csqlite_bind_text_copy(
        handle, Int32(clamping: number), bytes.baseAddress, UInt64(bytes.count))
    }
    try check(code)
  }

  /// Binds a blob to a parameter.
  package mutating func bindBlob(_ bytes: Span<UInt8>, at number: Int) throws(SQLiteError) {
    let code = bytes.withUnsafeBufferPointer { bytes in
      csqlite_bind_blob_copy(
        handle, Int32(clamping: number), bytes.baseAddress, UInt64(bytes.count))
    }
    try check(code)
  }

  /// Binds a column of another statement's row to a parameter, unchanged.
  ///
  /// Texts and blobs aren't copied: run this statement, or bind it again, before the other
  /// statement steps.
  ///
  /// - Precondition: The other statement has a row and the column.
  package mutating func bindColumn(
    of other: borrowing Statement, column: Int, at number: Int
  ) throws(SQLiteError) {
    let (index, cell) = (Int32(clamping: number), other.cell(at: column))
    switch cell.type {
    case SQLITE_INTEGER: try check(sqlite3_bind_int64(handle, index, Int64(bitPattern: cell.word)))
    case SQLITE_FLOAT:
      try check(sqlite3_bind_double(handle, index, Double(bitPattern: cell.word)))
    case SQLITE_TEXT: try check(csqlite_bind_text_lent(handle, index, cell.bytes, cell.word))
    case SQLITE_BLOB: try check(csqlite_bind_blob_lent(handle, index, cell.bytes, cell.word))
    default: try check(sqlite3_bind_null(handle, index))
    }
  }

  /// Binds the bytes of a column of another statement's row to a parameter, as a text.
  ///
  /// The bytes aren't copied: see ``bindColumn(of:column:at:)``.
  ///
  /// - Precondition: The other statement has a row and the column.
  package mutating func bindTextColumn(
    of other: borrowing Statement, column: Int, at number: Int
  ) throws(SQLiteError) {
    let bytes = other.cell(at: column).buffer
    let index = Int32(clamping: number)
    try check(csqlite_bind_text_lent(handle, index, bytes.baseAddress, UInt64(bytes.count)))
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw failure(code) }
  }
}
