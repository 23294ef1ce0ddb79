import OutboxFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The events that may be sent now, and when the next ones may.
public struct DueEvents: Hashable, Sendable {
  /// The events, in the order in which they are to be sent.
  public let events: [OutboxEvent]

  /// When the first of those may be sent that still wait for their retry; nil where none waits.
  public let nextDate: Date?

  public init(events: [OutboxEvent], nextDate: Date?) {
    self.events = events
    self.nextDate = nextDate
  }
}

extension OutboxEvent {
  /// Returns when the event may be sent, or nil where it isn't to be sent at all.
  ///
  /// Before the first retry passes the first of the delays. (``nextRetryDelay(retryDelays:)``
  /// takes the delay after the attempts so far, which are one by then: the first would never be
  /// used. FitIQ's own processor waits as is done here.) A last attempt that is further in the
  /// future than the longest delay, from a clock that was wrong, holds nothing up.
  ///
  /// - Parameters:
  ///   - now: The present moment.
  ///   - retryDelays: The seconds before each retry; the last is repeated.
  /// - Returns: The moment; the present one, or before it, where the event is due.
  public func dueDate(at now: Date, retryDelays: [TimeInterval]) -> Date? {
    guard shouldProcess else { return nil }
    guard status == .failed, let lastAttemptAt, let longest = retryDelays.max(),
      lastAttemptAt <= now.addingTimeInterval(longest)
    else { return now }
    let place = min(max(attemptCount - 1, 0), retryDelays.count - 1)
    return lastAttemptAt.addingTimeInterval(retryDelays[place])
  }
}

extension OutboxRepositoryProtocol {
  /// Finds what is due among all events that are to be sent.
  ///
  /// - Complexity: O(*n*) in the events to be sent, in time and memory.
  public func fetchDueEvents(
    forUserID userID: String?, limit: Int, at now: Date, retryDelays: [TimeInterval]
  ) async throws -> DueEvents {
    let events = try await fetchPendingEvents(forUserID: userID, limit: nil)
    let dates = events.map { $0.dueDate(at: now, retryDelays: retryDelays) ?? now }
    let due = zip(events, dates).filter { $0.1 <= now }.map(\.0)
    return DueEvents(
      events: Array(due.prefix(max(0, limit))), nextDate: dates.filter { $0 > now }.min())
  }
}
