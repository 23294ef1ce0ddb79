import CSQLite

/// A call of an SQL function of one argument, which is answered before the function returns.
package struct FunctionCall: ~Copyable {
  fileprivate let context: OpaquePointer?
  fileprivate let argument: csqlite_cell

  /// The kind of the argument.
  package var type: StorageClass { StorageClass(code: argument.type) }

  /// Lends the bytes of a text or blob, without copying them; of other arguments none.
  package func withBytes<Result: ~Copyable>(_ body: (Span<UInt8>) -> Result) -> Result {
    body(argument.buffer.span)
  }

  /// Answers with NULL, which an unanswered call does as well.
  package func answerNull() { sqlite3_result_null(context) }

  /// Answers with a text, which is copied.
  package func answer(text: Span<UInt8>) {
    text.withUnsafeBufferPointer { answer($0) }
  }

  /// Answers with the bytes of the argument, as a text.
  package func answerSameBytesAsText() { answer(argument.buffer) }

  /// Fails the statement; the message is for the programmer.
  package func fail(_ message: String) { sqlite3_result_error(context, message, -1) }

  private func answer(_ bytes: UnsafeBufferPointer<UInt8>) {
    csqlite_result_text_copy(context, bytes.baseAddress, UInt64(bytes.count))
  }
}

extension Connection {
  /// Defines a function of one argument that statements of this connection can call by its name.
  ///
  /// What a file's schema has can't.
  ///
  /// It stays as long as the connection, or until the name is defined anew.
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
          .body(FunctionCall(context: context, argument: cell))
      }, nil, nil,
      { pointer in
        guard let pointer else { return }
        Unmanaged<SQLFunction>.fromOpaque(pointer).release()
      })
    // SQLite lets go of the function where it fails, too.
    guard code == SQLITE_OK else { throw SQLiteError(code, in: handle) }
  }
}

/// What C's user data can hold.
private final class SQLFunction {
  let body: (borrowing FunctionCall) -> Void

  init(_ body: @escaping (borrowing FunctionCall) -> Void) { self.body = body }
}
