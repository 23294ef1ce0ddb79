#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An operation to send to the server.
public struct OutboxEvent: Identifiable, Codable, Hashable, Sendable {
  /// The event's id, by which the server recognizes a repeated request.
  public let id: UUID

  /// The type of the event.
  public let eventType: OutboxEventType

  /// The id of the entity that the event is about.
  public let entityID: UUID

  /// The id of the event's user, as the apps write it: a UUID in upper case.
  public let userID: String

  /// The delivery status of the event.
  public var status: OutboxEventStatus

  /// The date when the event was created.
  public let createdAt: Date

  /// The date of the last attempt, if there was one.
  public var lastAttemptAt: Date?

  /// The number of attempts so far; ``AttemptCounting`` says which attempts count.
  public var attemptCount: Int

  /// The number of attempts after which a failed event isn't retried.
  public let maxAttempts: Int

  /// The reason why the last attempt failed.
  public var errorMessage: String?

  /// The date when the event was delivered.
  public var completedAt: Date?

  /// Facts about the entity; for a delete, the entity's id on the server.
  public var metadata: OutboxMetadata?

  /// The priority; events of higher priority are sent first.
  public let priority: Int

  /// Whether the server doesn't know the entity yet.
  public let isNewRecord: Bool

  public init(
    id: UUID = UUID(),
    eventType: OutboxEventType,
    entityID: UUID,
    userID: String,
    status: OutboxEventStatus = .pending,
    createdAt: Date = Date(),
    lastAttemptAt: Date? = nil,
    attemptCount: Int = 0,
    maxAttempts: Int = 5,
    errorMessage: String? = nil,
    completedAt: Date? = nil,
    metadata: OutboxMetadata? = nil,
    priority: Int = 0,
    isNewRecord: Bool = true
  ) {
    self.id = id
    self.eventType = eventType
    self.entityID = entityID
    self.userID = userID
    self.status = status
    self.createdAt = createdAt
    self.lastAttemptAt = lastAttemptAt
    self.attemptCount = attemptCount
    self.maxAttempts = maxAttempts
    self.errorMessage = errorMessage
    self.completedAt = completedAt
    self.metadata = metadata
    self.priority = priority
    self.isNewRecord = isNewRecord
  }
}

extension OutboxEvent {
  /// The default number of seconds after which a pending event is stale.
  public static let staleThreshold: TimeInterval = 300

  /// Whether the event failed and may be retried.
  public var canRetry: Bool { status == .failed && attemptCount < maxAttempts }

  /// Whether the event has been pending for more than five minutes.
  public var isStale: Bool { isStale(at: Date()) }

  /// Whether the event should be sent.
  public var shouldProcess: Bool { status == .pending || canRetry }

  /// Returns whether the event has been pending for longer than a number of seconds.
  public func isStale(at now: Date, threshold: TimeInterval = staleThreshold) -> Bool {
    status == .pending && now.timeIntervalSince(createdAt) > threshold
  }

  /// Returns the seconds before the next attempt, or `nil` if there is no next attempt.
  ///
  /// The number of attempts so far selects the delay; when there are more attempts than delays, the
  /// last delay repeats.
  public func nextRetryDelay(
    retryDelays: [TimeInterval] = BackoffPolicy.fitIQ
  ) -> TimeInterval? {
    guard canRetry, !retryDelays.isEmpty else { return nil }
    return retryDelays[min(max(attemptCount, 0), retryDelays.count - 1)]
  }
}

extension OutboxEvent {
  /// Begins an attempt, and counts it.
  public mutating func markAsProcessing(at now: Date = Date()) {
    status = .processing
    lastAttemptAt = now
    attemptCount += 1
  }

  /// Marks the event as delivered.
  public mutating func markAsCompleted(at now: Date = Date()) {
    status = .completed
    completedAt = now
    errorMessage = nil
  }

  /// Ends a failed attempt, which was counted when it began.
  public mutating func markAsFailed(error: String, at now: Date = Date()) {
    status = .failed
    errorMessage = error
    lastAttemptAt = now
  }

  /// Puts a failed event with attempts left back into the queue; its attempt count stays.
  public mutating func resetForRetry() {
    guard canRetry else { return }
    status = .pending
    errorMessage = nil
  }
}
