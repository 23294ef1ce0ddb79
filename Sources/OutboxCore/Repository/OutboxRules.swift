#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What an event's count of attempts counts.
public enum AttemptCounting: String, CaseIterable, Hashable, Sendable {
  /// The attempts that began, as FitIQ counts.
  case begun

  /// The attempts that failed, as Lume counts.
  case failed
}

/// Where the two apps differ, and both ways are needed.
public struct OutboxRules: Hashable, Sendable {
  /// What the count of attempts counts.
  public var attemptCounting: AttemptCounting

  /// The seconds after which a pending event is stale.
  public var staleThreshold: TimeInterval

  public init(
    attemptCounting: AttemptCounting = .begun,
    staleThreshold: TimeInterval = OutboxEvent.staleThreshold
  ) {
    self.attemptCounting = attemptCounting
    self.staleThreshold = staleThreshold
  }

  /// FitIQ's ways, which are FitIQCore's.
  public static let fitIQ = OutboxRules()

  /// Lume's ways.
  public static let lume = OutboxRules(attemptCounting: .failed, staleThreshold: 3_600)
}
