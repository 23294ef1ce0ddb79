#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value protected by a lock, with a condition to wait for.
///
/// The corresponding C types are `pthread_mutex_t` and `pthread_cond_t`. The thread sanitizer knows
/// them, but doesn't see the mutex of Swift's `Synchronization` on Linux.
package final class Guarded<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(change, nil)
  }

  deinit {
    pthread_cond_destroy(change)
    change.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Locks, and passes the value to a closure.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try withLock(when: { _ in true }, body)
  }

  /// Waits until the value satisfies a condition, locks, and passes it to a closure.
  package func withLock<Result>(
    when isReady: (Value) -> Bool, _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
    pthread_mutex_lock(mutex)
    while !isReady(value) { pthread_cond_wait(change, mutex) }
    defer {
      pthread_mutex_unlock(mutex)
      pthread_cond_broadcast(change)
    }
    return try body(&value)
  }
}
