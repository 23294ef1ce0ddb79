public import OutboxFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Where events are kept until they are delivered.
///
/// A user of `nil` stands for all users, a limit of `nil` for no limit. Rows that can't be read as
/// events are left out of every answer; they never keep the others from being read.
public protocol OutboxRepositoryProtocol: Sendable {
  /// Makes an event that is to be sent.
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
  /// Those of a higher priority come first, then the older ones.
  func fetchPendingEvents(
    forUserID userID: String?, limit: Int?
  ) async throws -> [OutboxEvent]

  /// Returns those events to be sent whose time has come, and when the next ones' time comes.
  ///
  /// This one needn't be written: it follows from ``fetchPendingEvents(forUserID:limit:)``, in as
  /// much memory as there are events.
  func fetchDueEvents(
    forUserID userID: String?, limit: Int, at now: Date, retryDelays: [TimeInterval]
  ) async throws -> DueEvents

  /// Returns the events of a status, the oldest first.
  func fetchEvents(
    withStatus status: OutboxEventStatus, forUserID userID: String?, limit: Int?
  ) async throws -> [OutboxEvent]

  /// Returns an event, or nil where there is none with this id.
  func fetchEvent(byID id: UUID) async throws -> OutboxEvent?

  /// Returns the events about an entity, the oldest first; of a type, or of all where it is nil.
  func fetchEvents(
    forEntityID entityID: UUID, eventType: OutboxEventType?
  ) async throws -> [OutboxEvent]

  /// Writes what may change in an event: status, dates, count, error and metadata.
  func updateEvent(_ event: OutboxEvent) async throws

  /// Begins an attempt.
  ///
  /// An event that is already being processed is refused, so that two processors don't send one.
  func markAsProcessing(_ eventID: UUID) async throws

  /// Ends an event: it was delivered.
  func markAsCompleted(_ eventID: UUID) async throws

  /// Ends an attempt that failed.
  func markAsFailed(_ eventID: UUID, error: String) async throws

  /// Puts those of the events back into the queue that failed and have attempts left.
  ///
  /// Their counts and the dates of their last attempts stay.
  func resetForRetry(_ eventIDs: [UUID]) async throws

  /// Removes events that were delivered before a moment, and returns how many.
  @discardableResult
  func deleteCompletedEvents(olderThan date: Date) async throws -> Int

  /// Removes an event, if it is there.
  func deleteEvent(_ eventID: UUID) async throws

  /// Removes all events about entities, and returns how many.
  @discardableResult
  func deleteEvents(forEntityIDs entityIDs: [UUID]) async throws -> Int

  /// Removes all events of a user, and returns how many.
  @discardableResult
  func deleteAllEvents(forUserID userID: String) async throws -> Int

  /// Returns how many events there are, by status.
  func getStatistics(forUserID userID: String?) async throws -> OutboxStatistics

  /// Returns the events that have been pending for too long, the oldest first.
  func getStaleEvents(forUserID userID: String?) async throws -> [OutboxEvent]
}
