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
  /// - Complexity: Three passes over the table, and one more for each of a few users. Memory for at
  ///   most `limit` rows of each of these users.
  func due(
    ofUser userID: String?, types: Set<OutboxEventType>?, limit: Int, at now: Date,
    retryDelays: [TimeInterval], readable: Condition, _ connection: borrowing Connection
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
    let pending = Condition.all([pending(ofUser: userID), ofTypes, readable].compactMap(\.self))
    let waiting = Condition.all([pending, waits])
    let next = try connection.value(
      "SELECT min(\(date.sql)) FROM \(table) WHERE \(waiting.sql)",
      date.values + waiting.values)
    let seconds = next.flatMap { $0.double ?? $0.int64.map { Double($0) } }
    let isDue = Condition.all([
      pending, Condition("(\(waits.sql)) IS NOT TRUE", waits.values),
      seconds == nil ? .all([]) : try isFree(ofThoseThat: waiting, connection),
    ])
    let found =
      userID == nil
      ? try eventsOfUsers(isDue, limit: limit, connection)
      : try events(thatAre: isDue, in: .queue, limit: limit, connection)
    return (found, seconds.map { Date(timeIntervalSinceReferenceDate: $0) })
  }

  /// The number of users up to which the events of each are read by themselves.
  private static let fewUsers = 8

  /// Reads the events of all users in the order in which to send them.
  ///
  /// To number the turns of users, SQLite sorts all events. The first events of each user are found
  /// without that, and of a user no more than `limit` can be among the first of all.
  private func eventsOfUsers(
    _ selected: Condition, limit: Int, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [(key: Int64, event: OutboxEvent)] {
    let user = self[.userID]
    let users = try connection.rows(
      "SELECT DISTINCT \(user) FROM \(table) WHERE \(selected.sql) LIMIT \(Self.fewUsers + 1)",
      selected.values)
    guard users.count > 1 else {
      return try events(thatAre: selected, in: .queue, limit: limit, connection)
    }
    guard users.count <= Self.fewUsers else {
      return try events(thatAre: selected, in: .turns, limit: limit, connection)
    }
    var turns: [Turn] = []
    for row in users {
      let ofUser = Condition.all([Condition("\(user) IS ?", row), selected])
      var (priority, round): (Int?, Int) = (nil, 0)
      for found in try events(
        thatAre: ofUser, in: .queue, limit: limit, connection)
      {
        round = found.event.priority == priority ? round + 1 : 0
        priority = found.event.priority
        turns.append(Turn(round: round, key: found.key, event: found.event))
      }
    }
    return turns.sorted(by: <).prefix(max(0, limit)).map { ($0.key, $0.event) }
  }

  /// An event with the number of earlier ones of its user and priority.
  private struct Turn: Comparable {
    let round: Int
    let key: Int64
    let event: OutboxEvent

    static func < (left: Turn, right: Turn) -> Bool {
      (-left.event.priority, left.round, left.event.createdAt, left.key)
        < (-right.event.priority, right.round, right.event.createdAt, right.key)
    }
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
      FROM \(table) WHERE \(wait.sql)
      ORDER BY \(priority) DESC, \(created), Z_PK
      """, wait.values)
    guard connection.changes > 0 else { return .all([]) }
    return Condition(
      """
      NOT EXISTS (SELECT 1 FROM temp.outbox_waiting AS w WHERE w.entity = \(entity)
      AND (-w.priority, w.created, w.key) < (-\(priority), \(created), Z_PK))
      """)
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
      let version = try connection.pragma("data_version").int64
      if checkedVersion == nil || version != checkedVersion {
        let count = try table.unreadableCount(connection)
        (checkedVersion, isReadable) = (version, count == 0)
      }
      let readable = isReadable ? Condition.all([]) : Condition(table.isReadable)
      return try table.due(
        ofUser: userID, types: types, limit: limit, at: now, retryDelays: retryDelays,
        readable: readable, connection)
    }
    return DueEvents(events: remember(due.found), nextDate: due.nextDate)
  }
}
