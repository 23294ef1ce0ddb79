import OutboxCore
import OutboxFormat
import SQLite
import StoreFormat

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The entities that events are about, and the operations that the events request.
struct RequestTables {
  /// The entities' tables, if the store has them.
  private let tables: [OutboxEventType: RequestTable]

  /// Finds the rows of the entities.
  private let finder: EntityFinder

  init(of store: StoreDescription) {
    tables = RequestTable.all(of: store)
    finder = EntityFinder(tables.mapValues(\.rows))
  }

  /// Returns the operation for an event, as the shipped app would request it.
  ///
  /// The body of a request is the current state of the entity. An entity that is marked as new, or
  /// has no id on the server, is created; others are updated. A delete is recognized by its
  /// metadata.
  func operation(
    for event: OutboxEvent, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Result<OutboxOperation, OutboxOperationError> {
    if let deletion = event.metadata?.deletion {
      guard event.eventType == .chatMessage else {
        return deletion.backendID.map { usable($0).map { .delete(id: $0) } } ?? .success(.nothing)
      }
      guard let id = deletion.conversationID, UUID(uuidString: id) != nil else {
        return .failure(.noConversation)
      }
      return .success(.delete(id: id))
    }
    guard event.eventType != .chatMessage, let table = tables[event.eventType] else {
      return .failure(.unsent(event.eventType))
    }
    guard let key = try key(ofEntityOf: event, connection),
      let entity = try table.representation(ofKey: key, connection)
    else { return .failure(.entityMissing(event.eventType)) }
    if !event.isNewRecord, let id = entity.backendID {
      return usable(id).map { .update(id: $0, entity.body) }
    }
    return .success(.create(entity.body))
  }

  /// Writes the id that the server has given to the entity of an event.
  func markAsSynced(
    _ event: OutboxEvent, backendID: String, at now: Date, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let table = tables[event.eventType], let key = try key(ofEntityOf: event, connection)
    else { return }
    try table.markAsSynced(key: key, backendID: backendID, at: now, connection)
  }

  /// Returns the id that the server has given to the entity of an event, or `nil`.
  func backendID(
    ofEntityOf event: OutboxEvent, _ connection: borrowing Connection
  ) throws(SQLiteError) -> String? {
    guard let table = tables[event.eventType], let key = try key(ofEntityOf: event, connection)
    else { return nil }
    return try table.representation(ofKey: key, connection)?.backendID
  }

  /// Returns an id if it can be part of a path: an id of only dots would be resolved away.
  private func usable(_ id: String) -> Result<String, OutboxOperationError> {
    id.contains { $0 != "." } ? .success(id) : .failure(.unusableID)
  }

  private func key(
    ofEntityOf event: OutboxEvent, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    try finder.key(event.eventType, event.entityID.bytes.span, connection)
  }
}
