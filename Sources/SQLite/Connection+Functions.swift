import CSQLite

extension Connection {
  /// Makes a Swift closure callable from SQL, until the connection closes or the name is reused.
  ///
  /// The closure sees its arguments and sets its result through the context. Only statements call
  /// it; what stands in the file's schema can't. Without an argument count any number will do. A
  /// deterministic function answers equal arguments equally, and may be called less often for it.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/c3ref/create_function.html>
  public func register(
    function name: String, argumentCount: Int?, isDeterministic: Bool,
    body: @escaping (borrowing FunctionContext) -> Void
  ) throws(SQLiteError) {
    let flags =
      SQLITE_UTF8 | SQLITE_DIRECTONLY | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
    let box = Unmanaged.passRetained(FunctionBody(body))
    // SQLite calls the destructor itself, also when this call fails.
    let code = sqlite3_create_function_v2(
      handle, name, Int32(clamping: argumentCount ?? -1), flags, box.toOpaque(),
      { context, count, arguments in
        guard let context, let pointer = sqlite3_user_data(context) else { return }
        let body = Unmanaged<FunctionBody>.fromOpaque(pointer)
        let call = FunctionContext(
          context: context, arguments: arguments, argumentCount: Int(count))
        body._withUnsafeGuaranteedRef { $0.run(call) }
      },
      nil, nil,
      { pointer in
        if let pointer { Unmanaged<FunctionBody>.fromOpaque(pointer).release() }
      })
    guard code == SQLITE_OK else { throw SQLiteError(code, in: handle) }
  }
}

private final class FunctionBody {
  let run: (borrowing FunctionContext) -> Void

  init(_ run: @escaping (borrowing FunctionContext) -> Void) {
    self.run = run
  }
}
