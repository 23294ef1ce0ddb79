// What this package uses of Synchronization. The toolchain's module is built on Glibc.
@available(macOS 15.0, iOS 18.0, *)
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private var value: Value

  public init(_ initialValue: consuming sending Value) { value = initialValue }

  public borrowing func withLock<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result { fatalError() }
}
