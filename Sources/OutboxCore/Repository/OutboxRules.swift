#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The attempts that an event's attempt count includes.
public enum AttemptCounting: String, CaseIterable, Hashable, Sendable {
  /// The attempts that began, as FitIQ counts them.
  case begun

  /// The attempts that failed, as Lume counts them.
  case failed
}

/// The rules in which the two apps differ.
public struct OutboxRules: Hashable, Sendable {
  /// The attempts that the attempt count includes.
  public var attemptCounting: AttemptCounting

  /// The seconds after which a pending event is stale.
  public var staleThreshold: TimeInterval

  /// Whether an event without attempts left stays failed.
  ///
  /// Lume retries forever: each delivery of its outbox gives every event all attempts again.
  public var isCapped: Bool

  /// The types of events that the app sends, and that can be recreated at any time.
  ///
  /// Such an event contains nothing that its entity doesn't.
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

  /// FitIQ's rules, which are FitIQCore's.
  public static let fitIQ = OutboxRules()

  /// Lume's rules.
  public static let lume = OutboxRules(
    attemptCounting: .failed, staleThreshold: 3_600, isCapped: false,
    madeAnew: [.moodEntry, .journalEntry, .goal])
}
