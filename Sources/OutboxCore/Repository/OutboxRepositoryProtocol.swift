#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A repository that keeps events until they are delivered.
///
/// A user of `nil` means all users, a limit of `nil` no limit. Rows that can't be read as events
/// are omitted from every result; they never prevent others from being read.
public protocol OutboxRepositoryProtocol: Sendable {
  /// Creates an event to send.
  @discardableResult
  func createEvent(
    eventType: OutboxEventType,
    entityID: UUID,
    userID: String,
    isNewRecord: Bool,
    metadata: OutboxMetadata?,
    priority: Int
  ) async throws -> OutboxEvent

  /// Returns the events to be sent: pending, or failed with attempts left.
  ///
  /// Events of higher priority come first; among those of equal priority, older ones come first.
  func fetchPendingEvents(
    forUserID userID: String?, limit: Int?
  ) async throws -> [OutboxEvent]

  /// Returns the number of events to be sent.
  ///
  /// The default implementation uses ``fetchPendingEvents(forUserID:limit:)``, and needs memory for
  /// all events.
  func countPendingEvents(forUserID userID: String?) async throws -> Int

  /// Returns the events that are due, and the date when the next one is due.
  ///
  /// Events of higher priority come first. Among those of equal priority, users take turns: first the
  /// oldest event of each user, then the second oldest, and so on.
  ///
  /// Event types of `nil` mean all types. The default implementation uses
  /// ``fetchPendingEvents(forUserID:limit:)``, and needs memory for all events.
  func fetchDueEvents(
    forUserID userID: String?, ofTypes types: Set<OutboxEventType>?, limit: Int, at now: Date,
    retryDelays: [TimeInterval]
  ) async throws -> DueEvents

  /// Returns the events with a status, oldest first.
  func fetchEvents(
    withStatus status: OutboxEventStatus, forUserID userID: String?, limit: Int?
  ) async throws -> [OutboxEvent]

  /// Returns the event with an id, or `nil` if there is no such event.
  func fetchEvent(byID id: UUID) async throws -> OutboxEvent?

  /// Returns the events about an entity, oldest first; an event type of `nil` means all types.
  func fetchEvents(
    forEntityID entityID: UUID, eventType: OutboxEventType?
  ) async throws -> [OutboxEvent]

  /// Writes the mutable values of an event: status, dates, attempt count, error and metadata.
  func updateEvent(_ event: OutboxEvent) async throws

  /// Begins an attempt.
  ///
  /// An event that is already being processed is refused, so that no two processors send it.
  func markAsProcessing(_ eventID: UUID) async throws

  /// Marks an event as delivered.
  func markAsCompleted(_ eventID: UUID) async throws

  /// Ends a failed attempt.
  func markAsFailed(_ eventID: UUID, error: String) async throws

  /// Puts failed events with attempts left back into the queue.
  ///
  /// Their attempt counts and the dates of their last attempts stay.
  func resetForRetry(_ eventIDs: [UUID]) async throws

  /// Removes events that were delivered before a date, and returns their number.
  @discardableResult
  func deleteCompletedEvents(olderThan date: Date) async throws -> Int

  /// Removes an event, if it is there.
  func deleteEvent(_ eventID: UUID) async throws

  /// Removes all events about some entities, and returns their number.
  @discardableResult
  func deleteEvents(forEntityIDs entityIDs: [UUID]) async throws -> Int

  /// Removes all events of a user, and returns their number.
  @discardableResult
  func deleteAllEvents(forUserID userID: String) async throws -> Int

  /// Returns the number of events by status.
  func getStatistics(forUserID userID: String?) async throws -> OutboxStatistics

  /// Returns the events that have been pending for too long, oldest first.
  func getStaleEvents(forUserID userID: String?) async throws -> [OutboxEvent]
}
