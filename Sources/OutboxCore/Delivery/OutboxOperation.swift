package import JSONText
package import OutboxFormat
import SQLite
import StoreFormat

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

extension OutboxOperationError: CustomStringConvertible, OutboxHandlingError {
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

extension StoreOutboxRepository {
  /// Returns the operation for an event, as the shipped app would request it.
  ///
  /// The body of a request is the current state of the entity. An entity that is marked as new, or
  /// has no id on the server, is created; others are updated. A delete is recognized by its
  /// metadata.
  ///
  /// - Throws: An ``OutboxOperationError`` if nothing can be sent, or an ``OutboxError``.
  package func operation(for event: OutboxEvent) throws -> OutboxOperation {
    if let deletion = event.metadata?.deletion {
      guard event.eventType == .chatMessage else {
        return try deletion.backendID.map { OutboxOperation.delete(id: try usable($0)) } ?? .nothing
      }
      guard let id = deletion.conversationID, UUID(uuidString: id) != nil else {
        throw OutboxOperationError.noConversation
      }
      return .delete(id: id)
    }
    guard event.eventType != .chatMessage, let table = entities[event.eventType] else {
      throw OutboxOperationError.unsent(event.eventType)
    }
    guard let entity = try representation(of: event, in: table) else {
      throw OutboxOperationError.entityMissing(event.eventType)
    }
    if !event.isNewRecord, let id = entity.backendID {
      return .update(id: try usable(id), entity.body)
    }
    return .create(entity.body)
  }

  /// Returns an id if it can be part of a path: an id of only dots would be resolved away.
  private func usable(_ id: String) throws(OutboxOperationError) -> String {
    guard id.contains(where: { $0 != "." }) else { throw .unusableID }
    return id
  }

  /// Writes the id that the server has given to the entity of an event.
  package func markAsSynced(
    _ event: OutboxEvent, backendID: String
  ) throws(OutboxError) {
    guard let table = entities[event.eventType] else { return }
    let moment = now()
    try write { connection throws(SQLiteError) in
      guard let key = try key(ofEntityOf: event, connection) else { return }
      try table.markAsSynced(key: key, backendID: backendID, at: moment, connection)
    }
  }

  private func representation(
    of event: OutboxEvent, in table: RequestTable
  ) throws(OutboxError) -> EntityRepresentation? {
    do throws(SQLiteError) {
      guard let key = try key(ofEntityOf: event, connection) else { return nil }
      return try table.representation(ofKey: key, connection)
    } catch {
      throw .sqlite(error)
    }
  }

  private func key(
    ofEntityOf event: OutboxEvent, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    try finder.key(event.eventType, event.entityID.bytes.span, connection)
  }
}
