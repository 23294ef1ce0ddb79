package import OutboxCore
import OutboxFormat
import SQLite
import StoreFormat
import StoreModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An invented entity, with events that upload and delete it, by which a server is tried.
///
/// Both are marked: the events in their metadata, the entity in a text. What a killed test left is
/// found by the marks.
struct SyncTest {
  /// The text by which the events and the entity are marked.
  static let mark = "outbox-migrate sync-test"

  /// The attribute of an entity that has the mark, by event type.
  private static let markedAttributes: [(type: OutboxEventType, attribute: String)] = [
    (.progressEntry, "notes"), (.goal, "goalDescription"),
  ]

  let type: OutboxEventType
  private let entity: Entity
  private let rows: RowWriter
  private let idColumn: String
  private let markColumn: String

  /// Chooses the type: a progress entry in FitIQ, a goal in Lume.
  init(_ store: StoreDescription) throws(OutboxError) {
    guard let model = store.cachedModel else { throw .noOutbox("it contains no model") }
    let layout = store.layout(of: model)
    for (type, attribute) in Self.markedAttributes {
      guard let name = type.entity, let entity = model[name],
        let rows = RowWriter(name, in: layout), let idColumn = rows.column(of: "id"),
        let markColumn = rows.column(of: attribute)
      else { continue }
      self.type = type
      self.entity = entity
      self.rows = rows
      self.idColumn = idColumn
      self.markColumn = markColumn
      return
    }
    throw .noOutbox("its model has neither progress entries nor goals")
  }

  /// Returns whether an event is one of a test.
  static func isMarked(_ event: OutboxEvent) -> Bool {
    guard case .generic(let data)? = event.metadata else { return false }
    return data["source"] == mark
  }

  /// Adds an entity.
  func insertEntity(
    _ id: UUID, userID: String, at now: Date, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var values: [String: Value] = [:]
    for attribute in entity.attributes where attribute.type != .composite {
      values[attribute.name] =
        invented(attribute, id, userID, now) ?? attribute.storedDefault(of: attribute)
    }
    _ = try rows.insert(values, connection)
  }

  private func invented(
    _ attribute: Attribute, _ id: UUID, _ userID: String, _ now: Date
  ) -> Value? {
    switch attribute.name {
    case "id": .blob(id.bytes)
    case "userID", "userId":
      attribute.type == .uuid
        ? UUID(uuidString: userID).map { .blob($0.bytes) } : .text(userID)
    case "createdAt", "updatedAt", "date": now.stored
    case "notes", "goalDescription", "title": .text(Self.mark)
    case "type": "steps"
    case "quantity", "progress": .real(0)
    case "status": "active"
    case "category": "general"
    case "syncStatus": "pending"
    default: nil
    }
  }

  /// Removes an entity if it has the mark.
  func removeEntity(_ id: UUID, _ connection: borrowing Connection) throws(SQLiteError) {
    try connection.execute(
      """
      DELETE FROM \(quoteIdentifier(rows.table.name))
      WHERE \(idColumn) = ? AND \(markColumn) = ?
      """, [.blob(id.bytes), .text(Self.mark)])
  }
}

extension StoreOutboxRepository {
  /// Adds a marked entity with an event that uploads it.
  ///
  /// The entity is a progress entry in FitIQ, a goal in Lume. Its user is that of the first event, or
  /// an invented one.
  package func addSyncTest(forUserID userID: String?) throws(OutboxError) -> OutboxEvent {
    let test = try SyncTest(store)
    let (moment, id) = (now(), UUID())
    let first = userID == nil ? try firstUser() : nil
    let user = userID ?? first ?? UUID().uuidString
    try write { connection throws(SQLiteError) -> Void in
      try test.insertEntity(id, userID: user, at: moment, connection)
    }
    return try createEvent(
      eventType: test.type, entityID: id, userID: user, isNewRecord: true,
      metadata: .generic(["source": SyncTest.mark]), priority: 0)
  }

  /// Adds a marked event that deletes the entity of a test from the server.
  package func addSyncTestDeletion(
    of event: OutboxEvent, backendID: String
  ) throws(OutboxError) -> OutboxEvent {
    try createEvent(
      eventType: event.eventType, entityID: event.entityID, userID: event.userID,
      isNewRecord: false,
      metadata: .generic([
        "operation": "delete", "backendId": backendID, "source": SyncTest.mark,
      ]), priority: 0)
  }

  /// Returns the id that the server has given to the entity of an event, or `nil`.
  package func backendID(ofEntityOf event: OutboxEvent) throws(OutboxError) -> String? {
    try using { connection throws(SQLiteError) in
      try requests.backendID(ofEntityOf: event, connection)
    }
  }

  /// Removes all marked events and entities in one transaction, and returns the number of events.
  package func removeSyncTests() throws(OutboxError) -> Int {
    let (test, check) = (try SyncTest(store), try OutboxCheck(store, rules: rules))
    return try write { connection throws(SQLiteError) in
      var count = 0
      try check.eachEvent(nil, connection) { row, event, connection throws(SQLiteError) in
        guard SyncTest.isMarked(event) else { return }
        if event.eventType == test.type { try test.removeEntity(event.entityID, connection) }
        count += try table.delete(Condition("Z_PK = ?", [.integer(row.key)]), connection)
      }
      return count
    }
  }

  private func firstUser() throws(OutboxError) -> String? {
    try using { connection throws(SQLiteError) in
      try connection.value(
        "SELECT \(table[.userID]) FROM \(table.table) WHERE \(table.isReadable) ORDER BY Z_PK LIMIT 1"
      )?.string
    }
  }
}
