#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a processor takes the time from, and waits by.
public protocol OutboxClock: Sendable {
  /// The present moment.
  var now: Date { get }

  /// Waits; throws when the task is cancelled.
  func sleep(for seconds: TimeInterval) async throws
}

/// The machine's own clock.
public struct SystemOutboxClock: OutboxClock {
  public init() {}

  public var now: Date { Date() }

  public func sleep(for seconds: TimeInterval) async throws {
    try await Task.sleep(for: .seconds(max(0, seconds)))
  }
}
