package import JSONText
package import OutboxCore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The operation that an event requests from the server.
package enum OutboxOperation: Hashable, Sendable {
  /// Create the entity; the body is the entity's current state in the store.
  case create(JSONValue)

  /// Update the entity with an id on the server.
  case update(id: String, JSONValue)

  /// Delete the entity with an id on the server.
  case delete(id: String)

  /// Do nothing: the entity to delete was never uploaded.
  case nothing
}

/// A reason why nothing can be sent for an event.
package enum OutboxOperationError: Error, Hashable, Sendable {
  /// The entity isn't in the store, so there is nothing to send.
  case entityMissing(OutboxEventType)

  /// The delete of a chat names no conversation.
  case noConversation

  /// The id on the server can't be part of a request's path: it would lead elsewhere.
  case unusableID

  /// The apps send nothing for events of this type, or only deletes.
  case unsent(OutboxEventType)
}

extension OutboxOperationError: CustomStringConvertible, LocalizedError, OutboxHandlingError {
  package var errorDescription: String? { description }

  package var description: String {
    switch self {
    case .entityMissing(let type):
      "the event's \(type.displayName.lowercased()) isn't in the store"
    case .noConversation: "the delete doesn't name a conversation"
    case .unusableID: "the id on the server can't be part of a request"
    case .unsent(let type):
      "the apps send nothing for an event of type '\(type.rawValue)' that isn't a delete"
    }
  }

  package var isPermanent: Bool { true }
  package var retryAfter: TimeInterval? { nil }
}
