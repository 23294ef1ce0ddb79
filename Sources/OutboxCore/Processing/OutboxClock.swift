#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The clock that a processor reads and waits by.
public protocol OutboxClock: Sendable {
  /// The current date.
  var now: Date { get }

  /// Waits for some seconds; throws if the task is cancelled.
  func sleep(for seconds: TimeInterval) async throws
}

/// The system's clock.
public struct SystemOutboxClock: OutboxClock {
  public init() {}

  public var now: Date { Date() }

  public func sleep(for seconds: TimeInterval) async throws {
    try await Task.sleep(for: .seconds(max(0, seconds)))
  }
}
