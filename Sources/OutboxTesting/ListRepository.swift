public import OutboxCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An outbox in an array: slow, and obviously right.
///
/// Every function takes time in proportion to the number of events.
public actor ListRepository: OutboxRepositoryProtocol {
  /// The events, in the order in which they were created.
  public private(set) var events: [OutboxEvent]
  /// The rules in which the apps differ.
  public nonisolated let rules: OutboxRules
  /// Returns the current date.
  public nonisolated let now: @Sendable () -> Date

  /// Creates an outbox with some events.
  public init(
    _ events: [OutboxEvent] = [], rules: OutboxRules = .fitIQ,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.events = events
    self.rules = rules
    self.now = now
  }

  @discardableResult
  public func createEvent(
    eventType: OutboxEventType, entityID: UUID, userID: String, isNewRecord: Bool,
    metadata: OutboxMetadata?, priority: Int
  ) -> OutboxEvent {
    let event = OutboxEvent(
      eventType: eventType, entityID: entityID, userID: userID, createdAt: now(),
      metadata: metadata, priority: priority, isNewRecord: isNewRecord)
    events.append(event)
    return event
  }

  /// Appends an event as it is.
  public func add(_ event: OutboxEvent) { events.append(event) }

  public func fetchPendingEvents(forUserID userID: String?, limit: Int?) -> [OutboxEvent] {
    let found = of(userID).filter(\.shouldProcess).sorted {
      ($1.priority, $0.createdAt) < ($0.priority, $1.createdAt)
    }
    return Array(found.prefix(limit ?? .max))
  }

  public func fetchEvents(
    withStatus status: OutboxEventStatus, forUserID userID: String?, limit: Int?
  ) -> [OutboxEvent] {
    Array(oldestFirst(of(userID).filter { $0.status == status }).prefix(limit ?? .max))
  }

  public func fetchEvent(byID id: UUID) -> OutboxEvent? { events.first { $0.id == id } }

  public func fetchEvents(forEntityID entityID: UUID, eventType: OutboxEventType?) -> [OutboxEvent]
  {
    oldestFirst(
      events.filter {
        $0.entityID == entityID && (eventType == nil || $0.eventType == eventType)
      })
  }

  public func updateEvent(_ event: OutboxEvent) throws {
    try change(event.id) { present in
      present.status = event.status
      present.lastAttemptAt = event.lastAttemptAt
      present.attemptCount = event.attemptCount
      present.errorMessage = event.errorMessage
      present.completedAt = event.completedAt
      present.metadata = event.metadata
    }
  }

  public func markAsProcessing(_ eventID: UUID) throws {
    try change(eventID) { event in
      if event.status == .processing { throw OutboxError.alreadyProcessing(eventID) }
      event.status = .processing
      event.lastAttemptAt = now()
      if rules.attemptCounting == .begun { event.attemptCount += 1 }
    }
  }

  public func markAsCompleted(_ eventID: UUID) throws {
    try change(eventID) { $0.markAsCompleted(at: now()) }
  }

  public func markAsFailed(_ eventID: UUID, error: String) throws {
    try change(eventID) { event in
      event.markAsFailed(error: error, at: now())
      if rules.attemptCounting == .failed { event.attemptCount += 1 }
    }
  }

  public func resetForRetry(_ eventIDs: [UUID]) {
    for place in events.indices where eventIDs.contains(events[place].id) {
      events[place].resetForRetry()
    }
  }

  @discardableResult
  public func deleteCompletedEvents(olderThan date: Date) -> Int {
    remove { event in
      event.status == .completed && event.completedAt.map { $0 < date } == true
    }
  }

  public func deleteEvent(_ eventID: UUID) { _ = remove { $0.id == eventID } }

  @discardableResult
  public func deleteEvents(forEntityIDs entityIDs: [UUID]) -> Int {
    remove { entityIDs.contains($0.entityID) }
  }

  @discardableResult
  public func deleteAllEvents(forUserID userID: String) -> Int { remove { $0.userID == userID } }

  public func getStatistics(forUserID userID: String?) -> OutboxStatistics {
    let events = of(userID)
    func count(_ status: OutboxEventStatus) -> Int { events.count { $0.status == status } }
    return OutboxStatistics(
      totalEvents: events.count, pendingCount: count(.pending), processingCount: count(.processing),
      completedCount: count(.completed), failedCount: count(.failed),
      staleCount: events.count { $0.isStale(at: now(), threshold: rules.staleThreshold) },
      oldestPendingDate: events.filter { $0.status == .pending }.map(\.createdAt).min(),
      newestCompletedDate: events.filter { $0.status == .completed }.compactMap(\.completedAt)
        .max())
  }

  public func getStaleEvents(forUserID userID: String?) -> [OutboxEvent] {
    oldestFirst(
      of(userID).filter { $0.isStale(at: now(), threshold: rules.staleThreshold) })
  }

  private func of(_ userID: String?) -> [OutboxEvent] {
    events.filter { userID == nil || $0.userID == userID }
  }

  /// Swift's sort is stable: of equal dates, the first in the list stays first.
  private func oldestFirst(_ events: [OutboxEvent]) -> [OutboxEvent] {
    events.sorted { $0.createdAt < $1.createdAt }
  }

  private func change(_ id: UUID, _ body: (inout OutboxEvent) throws -> Void) throws {
    guard let place = events.firstIndex(where: { $0.id == id }) else {
      throw OutboxError.noSuchEvent(id)
    }
    try body(&events[place])
  }

  private func remove(_ isGone: (OutboxEvent) -> Bool) -> Int {
    let before = events.count
    events.removeAll(where: isGone)
    return before - events.count
  }
}
