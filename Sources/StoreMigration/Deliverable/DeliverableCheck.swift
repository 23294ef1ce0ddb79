import JSONText
import SQLite
import StoreFormat
import StoreModel
import Migrations
import StoreAccess
import RowRewriting

/// Says what the shipped V7 app would do with an outbox, and finds what would keep it from delivering.
struct DeliverableCheck {
  /// The outbox's table and the columns of it that the app reads, in the order of ``query(_:)``.
  private let table: String
  private let columns: [String]
  private let entities: [EntityTable]
  private let schema: String

  /// The attributes that the app's decisions depend on.
  private static let attributes = [
    "eventType", "status", "entityID", "userID", "isNewRecord", "metadata", "priority", "createdAt",
  ]

  /// The check of a store whose outbox has FitIQCore's columns and whose entities are Lume's.
  ///
  /// None of any other.
  init?(_ layout: StoreLayout, schema: String) {
    let entity = "SDOutboxEvent"
    guard let table = layout.table(of: entity) else { return nil }
    let columns = Self.attributes.compactMap { table.attributeColumn($0, of: entity) }
    let entities = OutboxSubject.allCases.compactMap { EntityTable($0, in: layout) }
    guard columns.count == Self.attributes.count, !entities.isEmpty else { return nil }
    self.table = table.name
    self.columns = columns
    self.entities = entities
    self.schema = schema
  }

  /// Reads the outbox.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows, in constant memory.
  func forecast(_ connection: borrowing Connection) throws -> QueueForecast {
    var entities = try EntityLookup(entities, connection, schema: schema)
    var forecast = QueueForecast()
    var findings = Findings()
    var row = try connection.prepare(query(" ORDER BY Z_PK"), isPersistent: true)
    while try row.step() {
      let event = QueuedEvent(row)
      let live = try OutboxSubject(eventType: event.eventType).flatMap { subject in
        try entities.entity(subject, event.entityID)
      }
      findings.look(at: event, live, metadata: row)
      guard event.status != "completed" else { continue }
      forecast.open += 1
      if event.isTakenUp { forecast.steps[event.step(live), default: 0] += 1 }
    }
    forecast.findings = findings.list.lines
    forecast.batch = try batch(&entities, connection)
    return forecast
  }

  /// The rows that the app takes up first, in its order.
  private func batch(
    _ entities: inout EntityLookup, _ connection: borrowing Connection
  ) throws -> [QueueForecast.Entry] {
    let (status, priority, created) = (
      quoteIdentifier(columns[1]), quoteIdentifier(columns[6]), quoteIdentifier(columns[7])
    )
    var row = try connection.prepare(
      query(
        " WHERE \(status) IN ('pending', 'failed') ORDER BY \(priority) DESC, \(created), Z_PK "
          + "LIMIT \(QueueForecast.batchSize)"))
    var entries: [QueueForecast.Entry] = []
    while try row.step() {
      let event = QueuedEvent(row)
      let live = try OutboxSubject(eventType: event.eventType).flatMap { subject in
        try entities.entity(subject, event.entityID)
      }
      let isKnown = QueuedEvent.knownTypes.contains(event.eventType)
      entries.append(
        QueueForecast.Entry(
          key: row.int64(at: 0), eventType: isKnown ? event.eventType : nil,
          step: event.step(live)))
    }
    return entries
  }

  private func query(_ rest: String) -> String {
    let names = columns.map(quoteIdentifier).joined(separator: ", ")
    return "SELECT Z_PK, \(names) FROM \(qualified(table, in: schema))\(rest)"
  }

  /// What was found so far, in constant memory.
  private struct Findings {
    private(set) var list = QueueFindings()

    mutating func look(
      at event: QueuedEvent, _ live: LiveEntity?, metadata row: borrowing Statement
    ) {
      let key = row.int64(at: 0)
      if let problem = Self.metadataProblem(row) { note(.metadata, problem, key) }
      guard event.status != "completed" else { return }
      guard event.isTakenUp else {
        let isStuck = event.status == "processing"
        note(
          .admission,
          isStuck ? "is being processed, and never taken up again" : "has no status of the app's",
          key)
        return
      }
      guard QueuedEvent.knownTypes.contains(event.eventType) else {
        return note(.admission, "has no event type of the app's, and stops the queue", key)
      }
      guard let subject = OutboxSubject(eventType: event.eventType) else {
        return note(.admission, "has an event type that the app completes unsent", key)
      }
      if let delete = event.delete {
        if let problem = Self.deleteProblem(delete, subject, live) { note(.deletes, problem, key) }
        return
      }
      if subject == .conversation {
        return note(.admission, "is no delete, and the app completes it unsent", key)
      }
      guard let live else { return note(.entities, "is about what isn't in the store", key) }
      if event.isNewRecord && live.isSynced {
        note(.newRecords, "counts as new what the server has already", key)
      }
      if let owner = live.owner, uuidText(owner) != event.userID {
        note(.owners, "names another owner than the entity has", key)
      }
    }

    private mutating func note(_ check: QueueForecast.Check, _ problem: String, _ key: Int64) {
      list.note(check, problem, key)
    }

    private static func deleteProblem(
      _ delete: DeleteMetadata, _ subject: OutboxSubject, _ live: LiveEntity?
    ) -> String? {
      if live != nil { return "deletes what is in the store" }
      if subject == .conversation, delete.conversationID.flatMap(uuidBytes) == nil {
        return "names no conversation to delete"
      }
      return delete.backendID == "none" ? "deletes by an id that is none" : nil
    }

    private static func metadataProblem(_ row: borrowing Statement) -> String? {
      guard !row.isNull(at: 6) else { return nil }
      return row.withBytes(at: 6) { text in
        if !isJSONText(text) { return "has metadata that isn't JSON" }
        return text.namesSecret ? "has a password or a token in its metadata" : nil
      }
    }
  }
}

extension QueuedEvent {
  /// The event in the row that a query of the check is at.
  fileprivate init(_ row: borrowing Statement) {
    eventType = row.string(at: 1) ?? ""
    status = row.string(at: 2) ?? ""
    entityID = row.bytes(at: 3)
    userID = row.string(at: 4) ?? ""
    isNewRecord = row.int64(at: 5) != 0
    delete = DeleteMetadata(row.bytes(at: 6))
  }
}
