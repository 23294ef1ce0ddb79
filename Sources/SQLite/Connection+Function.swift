import CSQLite

/// A call of an application-defined SQL function with one argument.
///
/// Related SQLite documentation: <https://www.sqlite.org/appfunc.html>
package struct FunctionCall: ~Copyable {
  fileprivate let context: OpaquePointer?
  fileprivate let value: OpaquePointer?
  fileprivate let argument: csqlite_cell

  /// The storage class of the argument.
  package var type: StorageClass { StorageClass(code: argument.type) }

  /// The bits of an integer or real argument; the number of bytes of a text or blob.
  package var word: UInt64 { argument.word }

  /// Passes the bytes of a text or blob argument to a closure, without copying.
  ///
  /// Other arguments have no bytes.
  package func withBytes<Result: ~Copyable>(_ body: (Span<UInt8>) -> Result) -> Result {
    body(argument.buffer.span)
  }

  /// Returns NULL, the default result.
  package func answerNull() { sqlite3_result_null(context) }

  /// Returns an integer.
  package func answer(integer: Int64) { sqlite3_result_int64(context, integer) }

  /// Returns the argument.
  package func answerArgument() { sqlite3_result_value(context, value) }

  /// Returns a text, which SQLite copies.
  package func answer(text: Span<UInt8>) {
    text.withUnsafeBufferPointer { answer($0) }
  }

  /// Returns the bytes of the argument as a text.
  package func answerSameBytesAsText() { answer(argument.buffer) }

  /// Fails the statement with a message for developers.
  package func fail(_ message: String) { sqlite3_result_error(context, message, -1) }

  private func answer(_ bytes: UnsafeBufferPointer<UInt8>) {
    csqlite_result_text_copy(context, bytes.baseAddress, UInt64(bytes.count))
  }
}

extension Connection {
  /// Defines an SQL function of one argument for statements of this connection.
  ///
  /// The schemas of database files can't call it (`SQLITE_DIRECTONLY`). The function exists until
  /// the connection closes or the name is defined again.
  ///
  /// The corresponding C function is `sqlite3_create_function_v2`.
  package func define(
    _ name: String, _ body: @escaping (borrowing FunctionCall) -> Void
  ) throws(SQLiteError) {
    let function = Unmanaged.passRetained(SQLFunction(body))
    let code = sqlite3_create_function_v2(
      handle, name, 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, function.toOpaque(),
      { context, _, values in
        guard let values, let pointer = sqlite3_user_data(context) else { return }
        var cell = csqlite_cell(type: SQLITE_NULL, word: 0, bytes: nil)
        csqlite_read_value(values[0], &cell)
        Unmanaged<SQLFunction>.fromOpaque(pointer).takeUnretainedValue()
          .body(FunctionCall(context: context, value: values[0], argument: cell))
      }, nil, nil,
      { pointer in
        guard let pointer else { return }
        Unmanaged<SQLFunction>.fromOpaque(pointer).release()
      })
    // SQLite calls the destructor even if this fails.
    guard code == SQLITE_OK else { throw SQLiteError(code, in: handle) }
  }
}

/// A reference to a function body, for C's user data.
private final class SQLFunction {
  let body: (borrowing FunctionCall) -> Void

  init(_ body: @escaping (borrowing FunctionCall) -> Void) { self.body = body }
}
