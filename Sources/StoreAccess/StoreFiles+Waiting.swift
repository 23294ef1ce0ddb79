import Platform
package import StoreFormat

extension StoreFiles {
  /// How long other processes are waited for where nobody says how long.
  ///
  /// Whoever only looks at a store has let go of it by then. Two runs that begin at once see each other:
  /// one of them comes first, because each waits for another time.
  private static var patience: Duration { .milliseconds(500) }

  /// Does what needs a store alone, again while another process has it open.
  ///
  /// - Parameters:
  ///   - path: The store's path as it was typed.
  ///   - timeout: How long to wait; none for a moment.
  ///   - body: What to do; it begins anew each time.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; ``StoreAccessError/inUse(_:holders:)`` only when the time is over.
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
    }
  }
}
