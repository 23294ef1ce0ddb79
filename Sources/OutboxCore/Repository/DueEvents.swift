#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The events that are due, and the date when the next one is due.
public struct DueEvents: Hashable, Sendable {
  /// The events that are due, in the order in which to send them.
  public let events: [OutboxEvent]

  /// The date when the first of the other events is due; `nil` if no event waits for a retry.
  public let nextDate: Date?

  public init(events: [OutboxEvent], nextDate: Date?) {
    self.events = events
    self.nextDate = nextDate
  }
}

extension OutboxEvent {
  /// Returns the date when the event is due, or `nil` if it shouldn't be sent.
  ///
  /// The first retry waits for the first delay. (``nextRetryDelay(retryDelays:)`` selects the delay
  /// by the attempts so far, which are one by then, so that it never uses the first delay. FitIQ's
  /// own processor waits as this function does.) A last attempt that is further in the future than
  /// the longest delay comes from a wrong clock, and doesn't delay the event.
  ///
  /// - Parameters:
  ///   - now: The current date.
  ///   - retryDelays: The seconds before each retry; the last value repeats.
  /// - Returns: The date; `now` or earlier if the event is due.
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
  public func countPendingEvents(forUserID userID: String?) async throws -> Int {
    try await fetchPendingEvents(forUserID: userID, limit: nil).count
  }

  /// Finds the due events among all events to be sent.
  ///
  /// - Complexity: O(*n*) in the number of events to be sent, in time and memory.
  public func fetchDueEvents(
    forUserID userID: String?, ofTypes types: Set<OutboxEventType>?, limit: Int, at now: Date,
    retryDelays: [TimeInterval]
  ) async throws -> DueEvents {
    let events = try await fetchPendingEvents(forUserID: userID, limit: nil)
      .filter { types?.contains($0.eventType) ?? true }
    let dates = events.map { $0.dueDate(at: now, retryDelays: retryDelays) ?? now }
    var held: Set<UUID> = []
    let due = zip(events, dates).filter { event, date in
      // An event that waits for its retry holds the later ones about its entity.
      if date > now { held.insert(event.entityID) }
      return !held.contains(event.entityID)
    }.map(\.0)
    return DueEvents(
      events: Array(due.takingTurns.prefix(max(0, limit))),
      nextDate: dates.filter { $0 > now }.min())
  }
}

extension [OutboxEvent] {
  /// The user and the priority of an event.
  private struct Line: Hashable {
    let userID: String
    let priority: Int
  }

  /// The events in such an order that users take turns within each priority.
  ///
  /// The order of each user's events stays.
  fileprivate var takingTurns: [OutboxEvent] {
    var lengths: [Line: Int] = [:]
    let rounds = map { event in
      let line = Line(userID: event.userID, priority: event.priority)
      lengths[line, default: 0] += 1
      return (event: event, round: lengths[line, default: 0])
    }
    // Swift's sort is stable.
    return rounds.sorted { ($1.event.priority, $0.round) < ($0.event.priority, $1.round) }
      .map { $0.event }
  }
}
