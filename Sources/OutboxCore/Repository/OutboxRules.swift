public import OutboxFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
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

  /// A Boolean value indicating whether an event that failed too often stays failed.
  ///
  /// Lume tries for ever: each delivery of its outbox gives every event all attempts again.
  public var isCapped: Bool

  /// The types whose events the app sends, and that say nothing that the entity doesn't.
  ///
  /// One can be made at any time.
  public var madeAnew: Set<OutboxEventType>

  public init(
    attemptCounting: AttemptCounting = .begun,
    staleThreshold: TimeInterval = OutboxEvent.staleThreshold, isCapped: Bool = true,
    madeAnew: Set<OutboxEventType> = [
      .progressEntry, .physicalAttribute, .activitySnapshot, .sleepSession, .mealLog, .workout,
      .workoutTemplate,
    ]
  ) {
    self.madeAnew = madeAnew
    self.attemptCounting = attemptCounting
    self.staleThreshold = staleThreshold
    self.isCapped = isCapped
  }

  /// FitIQ's ways, which are FitIQCore's.
  public static let fitIQ = OutboxRules()

  /// Lume's ways.
  public static let lume = OutboxRules(
    attemptCounting: .failed, staleThreshold: 3_600, isCapped: false,
    madeAnew: [.moodEntry, .journalEntry, .goal])
}
