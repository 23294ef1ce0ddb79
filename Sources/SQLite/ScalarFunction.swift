import CSQLite

/// An SQL function of our own whose result depends on its arguments only.
///
/// Related SQLite documentation: <https://www.sqlite.org/appfunc.html>
package struct ScalarFunction: Sendable {
  /// Why a function has no result, for people.
  package struct Failure: Error, Hashable, Sendable {
    let reason: String

    package init(_ reason: String) { self.reason = reason }
  }

  /// The name, in lowercase.
  package let name: String

  /// How many arguments a call may have.
  package let argumentCounts: ClosedRange<Int>

  /// Returns the result for the arguments.
  let body: @Sendable ([Value]) throws(Failure) -> Value

  package init(
    _ name: String, arguments counts: ClosedRange<Int> = 1...1,
    _ body: @escaping @Sendable ([Value]) throws(Failure) -> Value
  ) {
    (self.name, argumentCounts, self.body) = (name, counts, body)
  }
}

extension Connection {
  /// Defines functions for statements of this connection; the schemas of files can't call them.
  ///
  /// The corresponding C function is `sqlite3_create_function_v2`.
  package func define(_ functions: [ScalarFunction]) throws(SQLiteError) {
    for function in functions {
      for count in function.argumentCounts { try define(function, Int32(count)) }
    }
  }

  private func define(_ function: ScalarFunction, _ count: Int32) throws(SQLiteError) {
    let code = sqlite3_create_function_v2(
      handle, function.name, count, SQLITE_UTF8 | SQLITE_DIRECTONLY | SQLITE_DETERMINISTIC,
      Unmanaged.passRetained(FunctionBody(function.body)).toOpaque(),
      { context, count, values in
        guard let values, let pointer = sqlite3_user_data(context) else { return }
        let body = Unmanaged<FunctionBody>.fromOpaque(pointer).takeUnretainedValue().body
        do throws(ScalarFunction.Failure) {
          let arguments = (0..<Int(count)).map { Value(argument: values[$0]) }
          try body(arguments).answer(context)
        } catch {
          sqlite3_result_error(context, error.reason, -1)
        }
      }, nil, nil,
      { pointer in
        guard let pointer else { return }
        Unmanaged<FunctionBody>.fromOpaque(pointer).release()
      })
    // SQLite calls the destructor even if this fails.
    guard code == SQLITE_OK else { throw SQLiteError(code, in: handle) }
  }
}

/// A reference to a function body, for C's user data.
private final class FunctionBody {
  let body: @Sendable ([Value]) throws(ScalarFunction.Failure) -> Value

  init(_ body: @escaping @Sendable ([Value]) throws(ScalarFunction.Failure) -> Value) {
    self.body = body
  }
}

extension Value {
  fileprivate init(argument: OpaquePointer?) {
    guard let argument else {
      self = .null
      return
    }
    var cell = csqlite_cell(type: SQLITE_NULL, word: 0, bytes: nil)
    csqlite_read_value(argument, &cell)
    self =
      switch StorageClass(code: cell.type) {
      case .null: .null
      case .integer: .integer(Int64(bitPattern: cell.word))
      case .real: .real(Double(bitPattern: cell.word))
      case .text: .text(Array(cell.buffer))
      case .blob: .blob(Array(cell.buffer))
      }
  }

  fileprivate func answer(_ context: OpaquePointer?) {
    switch self {
    case .null: sqlite3_result_null(context)
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    case .text(let bytes):
      bytes.withUnsafeBufferPointer {
        csqlite_result_text_copy(context, $0.baseAddress, UInt64($0.count))
      }
    case .blob(let bytes):
      bytes.withUnsafeBufferPointer {
        csqlite_result_blob_copy(context, $0.baseAddress, UInt64($0.count))
      }
    }
  }
}
