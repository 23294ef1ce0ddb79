#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What a processor takes the time from, and waits by.
package protocol OutboxClock: Sendable {
  /// The present moment.
  var now: Date { get }

  /// Waits; throws when the task is cancelled.
  func sleep(for seconds: TimeInterval) async throws
}

/// The machine's own clock.
package struct SystemOutboxClock: OutboxClock {
  package init() {}

  package var now: Date { Date() }

  package func sleep(for seconds: TimeInterval) async throws {
    try await Task.sleep(for: .seconds(max(0, seconds)))
  }
}
