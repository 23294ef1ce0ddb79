import JSONText

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The four functions of Lume's first outbox, which had payloads instead of entities and users.
public protocol PayloadOutboxRepositoryProtocol: Sendable {
  /// Creates an event of a type such as `mood.created`, with a payload in JSON.
  func createEvent(type: String, payload: Data) async throws

  /// Returns the events to be sent: pending, or failed with attempts left.
  func pendingEvents() async throws -> [OutboxEvent]

  /// Marks an event as delivered.
  func markCompleted(_ event: OutboxEvent) async throws

  /// Ends a failed attempt.
  func markFailed(_ event: OutboxEvent) async throws
}

/// A reason why Lume's first form of an event can't be written in the present form.
public enum PayloadError: Error, Hashable, Sendable {
  /// No event type of Lume begins with this text.
  case unknownType(String)

  /// The payload isn't a JSON object with the id of its entity, a UUID.
  case noEntity(type: String)
}

extension PayloadError: CustomStringConvertible, LocalizedError {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .unknownType(let type):
      "'\(type)' isn't an event type of Lume; give one such as 'mood.created'"
    case .noEntity(let type):
      "the payload of '\(type)' isn't a JSON object whose 'id' is a UUID"
    }
  }
}

/// Lets code that has Lume's four functions use any outbox, until it uses the outbox itself.
///
/// The entity is the one that the payload names, as Lume's V6 named it; the metadata of deletes is
/// that which Lume's V7 writes. Other values of the payload aren't kept: a delivery sends the entity
/// as it is then.
public struct PayloadOutboxRepository: PayloadOutboxRepositoryProtocol {
  private let repository: any OutboxRepositoryProtocol
  private let userID: String

  /// Creates a repository over another one, for one user.
  public init(_ repository: any OutboxRepositoryProtocol, userID: String) {
    self.repository = repository
    self.userID = userID
  }

  public func createEvent(type: String, payload: Data) async throws {
    let words = type.split(separator: ".")
    let isDelete = words.last?.hasPrefix("delete") ?? false
    guard words.count > 1, let eventType = Self.types[words[0]],
      // Lume sends no other events about conversations.
      isDelete || eventType != .chatMessage
    else { throw PayloadError.unknownType(type) }
    let body = String(decoding: payload, as: UTF8.self)
    guard let object = try? JSONNode(parsing: body).object else {
      throw PayloadError.noEntity(type: type)
    }
    func text(_ keys: [String]) -> String? {
      keys.lazy.compactMap { try? object.optional($0)?.string }.first
    }
    guard let entity = text(Self.entityKeys(isDelete)).flatMap({ UUID(uuidString: $0) }) else {
      throw PayloadError.noEntity(type: type)
    }
    var metadata: OutboxMetadata?
    if isDelete {
      metadata =
        eventType == .chatMessage
        ? .delete(conversationID: entity.uuidString)
        : .delete(backendID: text(["backend_id", "backendId"]))
    }
    try await repository.createEvent(
      eventType: eventType, entityID: entity, userID: userID,
      isNewRecord: words.last?.hasPrefix("create") ?? false, metadata: metadata,
      priority: isDelete && eventType != .chatMessage ? 10 : 5)
  }

  public func pendingEvents() async throws -> [OutboxEvent] {
    try await repository.fetchPendingEvents(forUserID: userID, limit: nil)
  }

  public func markCompleted(_ event: OutboxEvent) async throws {
    try await repository.markAsCompleted(event.id)
  }

  public func markFailed(_ event: OutboxEvent) async throws {
    // An app that counts the attempts that began counts this one here.
    do {
      try await repository.markAsProcessing(event.id)
    } catch OutboxError.alreadyProcessing {}
    try await repository.markAsFailed(event.id, error: "the attempt failed")
  }

  /// The event types by the first word of Lume's.
  private static let types: [Substring: OutboxEventType] = [
    "mood": .moodEntry, "journal": .journalEntry, "goal": .goal, "conversation": .chatMessage,
    "chat": .chatMessage,
  ]

  /// The keys of the entity's id, in order of preference.
  private static func entityKeys(_ isDelete: Bool) -> [String] {
    (isDelete ? ["local_id", "localId"] : [])
      + ["id", "entry_id", "entryId", "conversation_id", "conversationId"]
  }
}
