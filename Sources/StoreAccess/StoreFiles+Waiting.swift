import Platform
package import StoreFormat

extension StoreFiles {
  /// The default lock timeout.
  ///
  /// A process that only reads a store has released it by then. Of two runs that start at the same
  /// time and see each other, one goes first, because each waits for a random time.
  private static var patience: Duration { .milliseconds(500) }

  /// Repeats a closure while another process has the store open, until the timeout.
  ///
  /// - Parameters:
  ///   - path: The store's path as it was typed.
  ///   - timeout: How long to wait; `nil` for half a second.
  ///   - body: What to do. Each attempt starts from the beginning.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; ``StoreAccessError/inUse(_:holders:)`` only after the timeout.
  package static func waiting<Result>(
    for path: String, timeout: Duration? = nil, _ body: () throws -> Result
  ) throws -> Result {
    let clock = ContinuousClock()
    let deadline = clock.now + (timeout ?? patience)
    while true {
      do {
        return try body()
      } catch {
        guard case .inUse? = StoreAccessError(known: error, path: path), clock.now < deadline else {
          throw error
        }
      }
      pause(for: .milliseconds(Int.random(in: 20...80)))
      try StopSignal.check()
    }
  }
}
