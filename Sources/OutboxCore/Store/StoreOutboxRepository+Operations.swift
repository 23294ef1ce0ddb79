import OutboxFormat
import SQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
