public import OutboxCore
import SQLite

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension OutboxTable {
  /// Reads the events that are due, and the date when the next one is due.
  ///
  /// - Complexity: Two passes over the table, with memory for at most `limit` rows.
  func due(
    ofUser userID: String?, types: Set<OutboxEventType>?, limit: Int, at now: Date,
    retryDelays: [TimeInterval], _ connection: borrowing Connection
  ) throws(SQLiteError) -> (found: [(key: Int64, event: OutboxEvent)], nextDate: Date?) {
    let date = retryDate(retryDelays)
    let (last, present) = (self[.lastAttemptAt], now.stored)
    let latest = now.addingTimeInterval(retryDelays.max() ?? 0).stored
    let waits = Condition(
      """
      \(self[.status]) = 'failed' AND \(last) IS NOT NULL AND \(last) <= ? AND \(date.sql) > ?
      """, [latest] + date.values + [present])
    let names = types?.map { Value.text($0.rawValue) }
    let ofTypes = names.map { names in
      let places = names.map { _ in "?" }.joined(separator: ", ")
      return Condition("\(self[.eventType]) IN (\(places))", names)
    }
    let pending = Condition.all([pending(ofUser: userID)] + (ofTypes.map { [$0] } ?? []))
    let isDue = Condition.all([
      pending, Condition("(\(waits.sql)) IS NOT TRUE", waits.values),
      try isFree(ofThoseThat: Condition.all([pending, waits]), connection),
    ])
    let order =
      userID == nil ? try orderOfUsers(pending, connection) : Order.queue
    let found = try events(isDue, in: order, limit: limit, connection)
    let waiting = Condition.all([pending, waits])
    let next = try connection.rows(
      "SELECT min(\(date.sql)) FROM \(table) WHERE \(waiting.sql) AND \(isReadable)",
      date.values + waiting.values)
    let seconds = next.first.flatMap { row in row[0].double ?? row[0].int64.map { Double($0) } }
    return (found, seconds.map { Date(timeIntervalSinceReferenceDate: $0) })
  }

  /// Returns the condition that no waiting event about the same entity comes before an event.
  ///
  /// The first waiting event of each entity is listed in a temporary table, in the order of the queue.
  private func isFree(
    ofThoseThat wait: Condition, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Condition {
    try connection.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS outbox_waiting
      (entity BLOB PRIMARY KEY, priority, created, key) WITHOUT ROWID;
      DELETE FROM temp.outbox_waiting
      """)
    let (entity, priority, created) = (self[.entityID], self[.priority], self[.createdAt])
    try connection.execute(
      """
      INSERT OR IGNORE INTO temp.outbox_waiting SELECT \(entity), \(priority), \(created), Z_PK
      FROM \(table) WHERE \(wait.sql) AND \(isReadable)
      ORDER BY \(priority) DESC, \(created), Z_PK
      """, wait.values)
    guard connection.changes > 0 else { return .all([]) }
    return Condition(
      """
      NOT EXISTS (SELECT 1 FROM temp.outbox_waiting AS w WHERE w.entity = \(entity)
      AND (-w.priority, w.created, w.key) < (-\(priority), \(created), Z_PK))
      """)
  }

  /// Returns the order in which to send events of all users; numbering turns takes a sort of them all.
  private func orderOfUsers(
    _ selected: Condition, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Order {
    let user = self[.userID]
    let found = try connection.value(
      "SELECT min(\(user)) <> max(\(user)) FROM \(table) WHERE \(selected.sql)", selected.values)
    return found == 1 ? .turns : .queue
  }

  /// Returns the SQL expression of ``OutboxEvent/dueDate(at:retryDelays:)`` for a failed row.
  private func retryDate(_ delays: [TimeInterval]) -> Condition {
    guard let final = delays.last else { return Condition("0") }
    let cases = delays.dropLast().indices.map { place in
      "WHEN \(self[.attemptCount]) <= \(place + 1) THEN ? "
    }
    let delay = cases.isEmpty ? "?" : "CASE \(cases.joined())ELSE ? END"
    return Condition(
      "\(self[.lastAttemptAt]) + \(delay)", (delays.dropLast() + [final]).map { .real($0) })
  }
}

extension StoreOutboxRepository {
  public func countPendingEvents(forUserID userID: String?) throws(OutboxError) -> Int {
    try using { connection throws(SQLiteError) in
      try table.count(table.pending(ofUser: userID), connection)
    }
  }

  public func fetchDueEvents(
    forUserID userID: String?, ofTypes types: Set<OutboxEventType>?, limit: Int, at now: Date,
    retryDelays: [TimeInterval]
  ) throws(OutboxError) -> DueEvents {
    let due = try using { connection throws(SQLiteError) in
      try table.due(
        ofUser: userID, types: types, limit: limit, at: now, retryDelays: retryDelays, connection)
    }
    return DueEvents(events: remember(due.found), nextDate: due.nextDate)
  }
}
