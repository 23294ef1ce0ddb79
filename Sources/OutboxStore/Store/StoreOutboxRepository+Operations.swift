package import OutboxCore
import SQLite

extension StoreOutboxRepository {
  /// Returns the operation for an event, as the shipped app would request it.
  ///
  /// - Throws: An ``OutboxOperationError`` if nothing can be sent, or an ``OutboxError``.
  package func operation(for event: OutboxEvent) throws -> OutboxOperation {
    try using { connection throws(SQLiteError) in
      try requests.operation(for: event, connection)
    }.get()
  }

  /// Returns the number of events of a type to be sent.
  package func pendingEventCount(
    ofType type: OutboxEventType, forUserID userID: String?
  ) throws(OutboxError) -> Int {
    let selected = Condition.all([
      table.pending(ofUser: userID), table.condition(OutboxSelection(eventType: type)),
    ])
    return try using { connection throws(SQLiteError) in try table.count(selected, connection) }
  }

  /// Notes the id that the server has given to the entity of an event.
  ///
  /// It is written together with the mark that the event is completed. Without that mark, the event
  /// is sent again, and the server gives the same id.
  package func noteAccepted(_ event: OutboxEvent, backendID: String) {
    accepted[event.id] = (event, backendID)
  }
}
