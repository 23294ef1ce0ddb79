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
  /// The queue must be filled; see ``fillQueue(_:)``.
  ///
  /// - Complexity: For up to ``fewUsers`` users, the time grows with `limit` for each user, and with the
  ///   number of events that wait or have other types. For more users, SQLite sorts all events. Memory
  ///   for the keys of `limit` events of each user, and for `limit` events.
  func due(
    ofUser userID: String?, types: Set<OutboxEventType>?, limit: Int, at now: Date,
    retryDelays: [TimeInterval], _ connection: borrowing Connection
  ) throws(SQLiteError) -> (found: [(key: Int64, event: OutboxEvent)], nextDate: Date?) {
    let date = retryDate(retryDelays)
    let (last, present) = (self[.lastAttemptAt], now.stored)
    // What waits failed in the time of the longest delay; a second is added for rounding.
    let longest = retryDelays.max() ?? 0
    let (earliest, latest) = (
      now.addingTimeInterval(-longest - 1).stored, now.addingTimeInterval(longest).stored
    )
    let waits = Condition(
      """
      \(self[.status]) = 'failed' AND \(last) > ? AND \(last) <= ? AND \(date.sql) > ?
      """, [earliest, latest] + date.values + [present])
    let names = types?.map { Value.text($0.rawValue) }
    let ofTypes = names.map { names in
      let places = names.map { _ in "?" }.joined(separator: ", ")
      return Condition("\(self[.eventType]) IN (\(places))", names)
    }
    let selected = Condition.all(
      [condition(OutboxSelection(userID: userID)), ofTypes].compactMap(\.self))
    let waiting = Condition.all([selected, waits])
    let next = try connection.value(
      "SELECT min(\(date.sql)) FROM \(Self.queue) INDEXED BY outbox_retries WHERE \(waiting.sql)",
      date.values + waiting.values)
    let seconds = next.flatMap { $0.double ?? $0.int64.map { Double($0) } }
    let isDue = Condition.all([
      selected, Condition("(\(waits.sql)) IS NOT TRUE", waits.values),
      seconds == nil ? .all([]) : try isFree(ofThoseThat: waiting, connection),
    ])
    let keys =
      userID == nil
      ? try keysOfUsers(isDue, limit: limit, connection)
      : try turns(isDue, by: queueOrder, limit: limit, connection).map(\.key)
    return (
      try events(withKeys: keys, connection),
      seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
    )
  }

  /// The number of users up to which the events of each are read by themselves.
  private static let fewUsers = 8

  /// Reads the keys of the events of all users in the order in which to send them.
  ///
  /// To number the turns of users, SQLite sorts all events. The first events of each user are found
  /// without that, and of a user no more than `limit` can be among the first of all.
  private func keysOfUsers(
    _ selected: Condition, limit: Int, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Int64] {
    let users = try queuedUsers(limit: Self.fewUsers + 1, connection)
    guard users.count <= Self.fewUsers else {
      let order =
        """
        \(self[.priority]) DESC, row_number() OVER (PARTITION BY \(self[.priority]),
        \(self[.userID]) ORDER BY \(self[.createdAt]), Z_PK), \(self[.createdAt]), Z_PK
        """
      return try turns(selected, by: order, limit: limit, connection).map(\.key)
    }
    var turns: [Turn] = []
    for user in users {
      let ofUser = Condition.all([Condition("\(self[.userID]) = ?", [user]), selected])
      turns += try self.turns(ofUser, by: queueOrder, limit: limit, connection)
    }
    return turns.sorted(by: <).prefix(max(0, limit)).map(\.key)
  }

  /// The order in which the events of a user are sent: by priority, then oldest first.
  var queueOrder: String { "\(self[.priority]) DESC, \(self[.createdAt]), Z_PK" }

  /// An event's key, and its place among its user's events of its priority, from 0.
  private struct Turn: Comparable {
    let priority: Int64
    let round: Int
    let created: Double
    let key: Int64

    static func < (left: Turn, right: Turn) -> Bool {
      (right.priority, left.round, left.created, left.key)
        < (left.priority, right.round, right.created, right.key)
    }
  }

  /// Reads queued events in an order; their rounds count as if they were of one user.
  private func turns(
    _ selected: Condition, by order: String, limit: Int, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Turn] {
    var row = try connection.prepare(
      """
      SELECT \(self[.priority]), \(self[.createdAt]), Z_PK FROM \(Self.queue)
      WHERE \(selected.sql) ORDER BY \(order) LIMIT \(max(0, limit))
      """)
    try row.bind(selected.values)
    var turns: [Turn] = []
    while try row.step() {
      let (priority, created, key) = (row.value(at: 0), row.value(at: 1), row.value(at: 2))
      let place = priority.int64 ?? 0
      turns.append(
        Turn(
          priority: place, round: turns.last?.priority == place ? (turns.last?.round ?? 0) + 1 : 0,
          created: created.double ?? Double(created.int64 ?? 0), key: key.int64 ?? 0))
    }
    return turns
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
      FROM \(Self.queue) INDEXED BY outbox_retries WHERE \(wait.sql)
      ORDER BY \(queueOrder)
      """, wait.values)
    guard connection.changes > 0 else { return .all([]) }
    return Condition(
      """
      NOT EXISTS (SELECT 1 FROM temp.outbox_waiting AS w WHERE w.entity = \(entity)
      AND (w.priority > \(priority)
        OR w.priority = \(priority) AND (w.created, w.key) < (\(created), Z_PK)))
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
    try usingQueue { connection throws(SQLiteError) in
      let selected = table.condition(OutboxSelection(userID: userID))
      let sql = "SELECT count(*) FROM \(OutboxTable.queue) WHERE \(selected.sql)"
      return try connection.value(sql, selected.values)?.int64.map { Int($0) } ?? 0
    }
  }

  public func fetchDueEvents(
    forUserID userID: String?, ofTypes types: Set<OutboxEventType>?, limit: Int, at now: Date,
    retryDelays: [TimeInterval]
  ) throws(OutboxError) -> DueEvents {
    let due = try usingQueue { connection throws(SQLiteError) in
      try table.due(
        ofUser: userID, types: types, limit: limit, at: now, retryDelays: retryDelays, connection)
    }
    return DueEvents(events: remember(due.found), nextDate: due.nextDate)
  }

  /// Runs a body when the queue has all changes of the store, by whichever connection.
  private func usingQueue<Output>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Output
  ) throws(OutboxError) -> Output {
    let (version, output) = try using { connection throws(SQLiteError) in
      // The version and the rows are those of one state of the store.
      try connection.transaction(.deferred) { connection throws(SQLiteError) in
        let version = try connection.pragma("data_version").int64
        if queuedVersion == nil || version != queuedVersion {
          queuedVersion = nil
          try table.fillQueue(connection)
        }
        return (version, try body(connection))
      }
    }
    queuedVersion = version
    return output
  }
}
