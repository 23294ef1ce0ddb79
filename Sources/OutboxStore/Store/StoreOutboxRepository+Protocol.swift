public import OutboxCore
import SQLite

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension StoreOutboxRepository: OutboxRepositoryProtocol {
  @discardableResult
  public func createEvent(
    eventType: OutboxEventType, entityID: UUID, userID: String, isNewRecord: Bool,
    metadata: OutboxMetadata?, priority: Int
  ) throws(OutboxError) -> OutboxEvent {
    if let extra = table.extras.first(where: { $0.value == nil }) {
      throw .noDefault(attribute: extra.attribute)
    }
    let event = OutboxEvent(
      eventType: eventType, entityID: entityID, userID: userID, createdAt: now(),
      metadata: metadata, priority: priority, isNewRecord: isNewRecord)
    let text: String?
    do { text = try metadata?.text } catch { throw .metadata(error) }
    let key = try write { connection throws(SQLiteError) in
      try table.insert(event, metadata: text, connection)
    }
    return remember([(key, event)])[0]
  }

  public func fetchPendingEvents(
    forUserID userID: String?, limit: Int?
  ) throws(OutboxError) -> [OutboxEvent] {
    try fetch(table.pending(ofUser: userID), in: .queue, limit: limit)
  }

  public func fetchEvents(
    withStatus status: OutboxEventStatus, forUserID userID: String?, limit: Int?
  ) throws(OutboxError) -> [OutboxEvent] {
    try fetch(
      table.condition(OutboxSelection(userID: userID, status: status)), limit: limit)
  }

  public func fetchEvent(byID id: UUID) throws(OutboxError) -> OutboxEvent? {
    try fetch(Condition("\(table[.id]) = ?", [.blob(id.bytes)]), limit: 1).first
  }

  public func fetchEvents(
    forEntityID entityID: UUID, eventType: OutboxEventType?
  ) throws(OutboxError) -> [OutboxEvent] {
    try fetch(table.condition(OutboxSelection(eventType: eventType, entityID: entityID)))
  }

  public func updateEvent(_ event: OutboxEvent) throws(OutboxError) {
    try change(event.id) { key, connection throws(SQLiteError) in
      try table.update(key: key, event, connection).map { .metadata($0) }
    }
  }

  public func markAsProcessing(_ eventID: UUID) throws(OutboxError) {
    let moment = now()
    try change(eventID) { key, connection throws(SQLiteError) in
      try table.markAsProcessing(key: key, eventID, at: moment, rules, connection)
    } refusal: {
      .alreadyProcessing(eventID)
    }
  }

  public func markAsCompleted(_ eventID: UUID) throws(OutboxError) {
    let (moment, accepted) = (now(), takeAccepted(eventID))
    try change(eventID) { key, connection throws(SQLiteError) in
      if let accepted {
        try requests.markAsSynced(
          accepted.event, backendID: accepted.backendID, at: moment, connection)
      }
      return try table.markAsCompleted(key: key, eventID, at: moment, connection)
    } refusal: {
      .noSuchEvent(eventID)
    }
  }

  public func markAsFailed(_ eventID: UUID, error: String) throws(OutboxError) {
    try change(eventID) { key, connection throws(SQLiteError) in
      try table.markAsFailed(key: key, error: error, at: now(), rules, connection)
      return nil
    }
  }

  public func resetForRetry(_ eventIDs: [UUID]) throws(OutboxError) {
    _ = try write { connection throws(SQLiteError) in
      try table.resetForRetry(ids: eventIDs, connection)
    }
  }

  @discardableResult
  public func deleteCompletedEvents(olderThan date: Date) throws(OutboxError) -> Int {
    try write { connection throws(SQLiteError) in
      try table.deleteCompleted(olderThan: date, connection)
    }
  }

  public func deleteEvent(_ eventID: UUID) throws(OutboxError) {
    _ = try write { connection throws(SQLiteError) in
      try table.delete(Condition("\(table[.id]) = ?", [.blob(eventID.bytes)]), connection)
    }
  }

  @discardableResult
  public func deleteEvents(forEntityIDs entityIDs: [UUID]) throws(OutboxError) -> Int {
    try write { connection throws(SQLiteError) in
      try table.delete(entityIDs: entityIDs, connection)
    }
  }

  @discardableResult
  public func deleteAllEvents(forUserID userID: String) throws(OutboxError) -> Int {
    try write { connection throws(SQLiteError) in
      try table.delete(table.condition(OutboxSelection(userID: userID)), connection)
    }
  }

  public func getStatistics(forUserID userID: String?) throws(OutboxError) -> OutboxStatistics {
    try using { connection throws(SQLiteError) in
      try table.statistics(ofUser: userID, staleBefore: staleLimit, connection)
    }
  }

  public func getStaleEvents(forUserID userID: String?) throws(OutboxError) -> [OutboxEvent] {
    let selected = table.condition(OutboxSelection(userID: userID, status: .pending))
    return try fetch(
      .all([selected, Condition("\(table[.createdAt]) < ?", [staleLimit.stored])]))
  }

  /// Gives undelivered events all their attempts again.
  ///
  /// Does nothing if the rules limit the attempts.
  public func renewAttempts(forUserID userID: String?) throws(OutboxError) {
    guard !rules.isCapped else { return }
    try write { connection throws(SQLiteError) in
      try table.renewAttempts(ofUser: userID, connection)
    }
  }

  /// Returns rows that can't be read as events, in the order of their keys.
  package func unreadableRows(limit: Int = 100) throws(OutboxError) -> [OutboxRow] {
    try using { connection throws(SQLiteError) in
      try table.unreadableRows(limit: limit, connection)
    }
  }
}

extension StoreOutboxRepository {
  private var staleLimit: Date { now().addingTimeInterval(-rules.staleThreshold) }

  private func fetch(
    _ condition: Condition, in order: OutboxTable.Order = .oldestFirst, limit: Int? = nil
  ) throws(OutboxError) -> [OutboxEvent] {
    remember(
      try using { connection throws(SQLiteError) in
        try table.events(condition, in: order, limit: limit, connection)
      })
  }
}
