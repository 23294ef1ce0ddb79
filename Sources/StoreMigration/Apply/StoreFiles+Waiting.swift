import Platform
import StoreFormat

extension StoreFiles {
  /// How long other processes are waited for where nobody says how long.
  ///
  /// Whoever only looks at a store has let go of it by then. Two runs that begin at once see each other:
  /// one of them comes first, because each waits for another time.
  private static var patience: Duration { .milliseconds(500) }

  /// Refuses a store that another process has open, before its lock would be in that one's way.
  ///
  /// - Throws: ``MigrationError/inUse(_:holders:)`` if one has it open.
  func checkHolders(typed path: String) throws {
    let holders = try lockHolders(of: self.path)
    guard holders.isEmpty else {
      throw MigrationError.inUse(path, holders: holders.map(\.description))
    }
  }

  /// Does what needs a store alone, again while another process has it open.
  ///
  /// - Parameters:
  ///   - path: The store's path as it was typed.
  ///   - timeout: How long to wait; none for a moment.
  ///   - body: What to do; it begins anew each time.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; ``MigrationError/inUse(_:holders:)`` only when the time is over.
  static func waiting<Result>(
    for path: String, timeout: Duration? = nil, _ body: () throws -> Result
  ) throws -> Result {
    let clock = ContinuousClock()
    let deadline = clock.now + (timeout ?? patience)
    while true {
      do {
        return try body()
      } catch {
        guard case .inUse? = MigrationError(known: error, path: path), clock.now < deadline else {
          throw error
        }
      }
      // Another try for the lock would keep a process that has the store open from reading it.
      repeat {
        pause(for: .milliseconds(Int.random(in: 20...80)))
      } while clock.now < deadline && (try? lockHolders(of: path).isEmpty) == false
    }
  }
}
