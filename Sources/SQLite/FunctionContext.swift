import CSQLite

/// One call of a function from SQL: its arguments, and the place for its result.
///
/// Arguments are counted from 0. The result is NULL unless the body sets it; the last one set
/// counts.
public struct FunctionContext: ~Copyable {
  private let context: OpaquePointer
  private let arguments: UnsafeMutablePointer<OpaquePointer?>?

  /// The number of arguments.
  public let argumentCount: Int

  init(
    context: OpaquePointer, arguments: UnsafeMutablePointer<OpaquePointer?>?, argumentCount: Int
  ) {
    self.context = context
    self.arguments = arguments
    self.argumentCount = argumentCount
  }

  private func argument(_ index: Int) -> OpaquePointer? {
    precondition(index >= 0 && index < argumentCount, "the function has no such argument")
    return arguments?[index]
  }
}

extension FunctionContext {
  /// Returns the kind of an argument.
  public func type(at index: Int) -> StorageClass {
    StorageClass(code: sqlite3_value_type(argument(index)))
  }

  /// Returns an argument as an integer; what isn't one is cast as SQLite casts, NULL to 0.
  public func int64(at index: Int) -> Int64 {
    sqlite3_value_int64(argument(index))
  }

  /// Returns an argument as a real; what isn't one is cast as SQLite casts, NULL to 0.
  public func double(at index: Int) -> Double {
    sqlite3_value_double(argument(index))
  }

  /// Lends the bytes of a text or blob, without copying them; other values lend none.
  public func withBytes<Result: ~Copyable, Failure: Error>(
    at index: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let value = argument(index)
    let start: UnsafeRawPointer?
    switch sqlite3_value_type(value) {
    case SQLITE_TEXT: start = sqlite3_value_text(value).map { UnsafeRawPointer($0) }
    case SQLITE_BLOB: start = sqlite3_value_blob(value)
    default: start = nil
    }
    let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
    return try lend(start, count: count, to: body)
  }

  /// Returns an argument, copied.
  public func value(at index: Int) -> Value {
    func bytes() -> [UInt8] {
      withBytes(at: index) { bytes in bytes.withUnsafeBufferPointer { Array($0) } }
    }
    return switch type(at: index) {
    case .null: .null
    case .integer: .integer(int64(at: index))
    case .real: .real(double(at: index))
    case .text: .text(bytes())
    case .blob: .blob(bytes())
    }
  }
}

extension FunctionContext {
  /// Answers NULL.
  public func setNull() {
    sqlite3_result_null(context)
  }

  /// Answers an integer.
  public func setInt64(_ value: Int64) {
    sqlite3_result_int64(context, value)
  }

  /// Answers a real; NaN becomes NULL.
  public func setDouble(_ value: Double) {
    sqlite3_result_double(context, value)
  }

  /// Answers a text of these bytes, whether they are UTF-8 or not.
  public func setText(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer {
      csqlite_result_text_copy(context, $0.baseAddress, UInt64($0.count))
    }
  }

  /// Answers a blob.
  public func setBlob(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer {
      csqlite_result_blob_copy(context, $0.baseAddress, UInt64($0.count))
    }
  }

  /// Answers an argument, unchanged.
  public func setArgument(_ index: Int) {
    sqlite3_result_value(context, argument(index))
  }

  /// Answers a value.
  public func set(_ value: Value) {
    switch value {
    case .null: setNull()
    case .integer(let number): setInt64(number)
    case .real(let number): setDouble(number)
    case .text(let bytes): setText(bytes.span)
    case .blob(let bytes): setBlob(bytes.span)
    }
  }

  /// Fails the statement, with a message that names no values.
  public func fail(_ message: String) {
    sqlite3_result_error(context, message, -1)
  }
}
