public import OutboxFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One operation that the server is to be told of.
public struct OutboxEvent: Identifiable, Codable, Hashable, Sendable {
  /// The event's own id, under which the server recognises a repetition.
  public let id: UUID

  /// What the event is about.
  public let eventType: OutboxEventType

  /// The id of the entity that the event is about.
  public let entityID: UUID

  /// The user that the event belongs to, as the apps write it: a UUID in upper case.
  public let userID: String

  /// How far the event has come.
  public var status: OutboxEventStatus

  /// The moment the event was made.
  public let createdAt: Date

  /// The moment of the last attempt, if there was one.
  public var lastAttemptAt: Date?

  /// The attempts so far; ``AttemptCounting`` says which.
  public var attemptCount: Int

  /// The attempts after which a failed event isn't tried again.
  public let maxAttempts: Int

  /// Why the last attempt failed.
  public var errorMessage: String?

  /// The moment the event was delivered.
  public var completedAt: Date?

  /// What is known of the entity; of a delete, which one it was on the server.
  public var metadata: OutboxMetadata?

  /// The place in the queue: higher goes first.
  public let priority: Int

  /// A Boolean value indicating whether the server doesn't know the entity yet.
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
  /// The seconds after which a pending event is stale, unless somebody says otherwise.
  public static let staleThreshold: TimeInterval = 300

  /// The seconds to wait before each further attempt, unless somebody says otherwise.
  public static let retryDelays: [TimeInterval] = [1, 5, 30, 120, 600]

  /// A Boolean value indicating whether the event failed and may be tried again.
  public var canRetry: Bool { status == .failed && attemptCount < maxAttempts }

  /// A Boolean value indicating whether the event has been pending for more than five minutes.
  public var isStale: Bool { isStale(at: Date()) }

  /// A Boolean value indicating whether the event is to be sent.
  public var shouldProcess: Bool { status == .pending || canRetry }

  /// Returns whether the event has been pending for longer than a number of seconds.
  public func isStale(at now: Date, threshold: TimeInterval = staleThreshold) -> Bool {
    status == .pending && now.timeIntervalSince(createdAt) > threshold
  }

  /// Returns the seconds before the next attempt, or nil where there is none to come.
  ///
  /// The delay is that of the attempts so far, the last of the delays from there on.
  public func nextRetryDelay(
    retryDelays: [TimeInterval] = retryDelays
  ) -> TimeInterval? {
    guard canRetry, !retryDelays.isEmpty else { return nil }
    return retryDelays[min(max(attemptCount, 0), retryDelays.count - 1)]
  }
}

extension OutboxEvent {
  /// Begins an attempt, which counts.
  public mutating func markAsProcessing(at now: Date = Date()) {
    status = .processing
    lastAttemptAt = now
    attemptCount += 1
  }

  /// Ends the event: it was delivered.
  public mutating func markAsCompleted(at now: Date = Date()) {
    status = .completed
    completedAt = now
    errorMessage = nil
  }

  /// Ends an attempt that failed; it was counted when it began.
  public mutating func markAsFailed(error: String, at now: Date = Date()) {
    status = .failed
    errorMessage = error
    lastAttemptAt = now
  }

  /// Puts an event back into the queue that failed and may be tried again; its count stays.
  public mutating func resetForRetry() {
    guard canRetry else { return }
    status = .pending
    errorMessage = nil
  }
}
