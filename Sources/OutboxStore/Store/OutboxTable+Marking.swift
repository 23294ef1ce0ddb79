import OutboxCore
package import SQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension OutboxTable {
  /// Returns the key of the first row with an event's id.
  ///
  /// - Complexity: One pass over the table: the models have no index on the id.
  func key(of id: UUID, _ connection: borrowing Connection) throws(SQLiteError) -> Int64? {
    try connection.value(
      "SELECT Z_PK FROM \(table) WHERE \(self[.id]) = ? ORDER BY Z_PK LIMIT 1",
      [.blob(id.bytes)])?.int64
  }

  /// Returns the status text of a row that has an event's id.
  func status(
    ofKey key: Int64, _ id: UUID, _ connection: borrowing Connection
  ) throws(SQLiteError) -> String? {
    try connection.value(
      "SELECT \(self[.status]) FROM \(table) WHERE Z_PK = ? AND \(self[.id]) = ?",
      [.integer(key), .blob(id.bytes)])?.string
  }

  /// Begins an attempt; returns whether the row has the id, and no attempt is under way.
  func markAsProcessing(
    key: Int64, _ id: UUID, at now: Date, _ rules: OutboxRules,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let count = rules.attemptCounting == .begun ? "\(self[.attemptCount]) + 1" : self[.attemptCount]
    try set(
      "\(self[.status]) = 'processing', \(self[.lastAttemptAt]) = ?, "
        + "\(self[.attemptCount]) = \(count)",
      [now.stored], key: key,
      if: Condition("\(self[.id]) = ? AND \(self[.status]) IS NOT 'processing'", [.blob(id.bytes)]),
      connection)
    return connection.changes > 0
  }

  /// Marks an event as delivered; returns whether the row has the id.
  func markAsCompleted(
    key: Int64, _ id: UUID, at now: Date, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try set(
      "\(self[.status]) = 'completed', \(self[.completedAt]) = ?, \(self[.errorMessage]) = NULL",
      [now.stored], key: key, if: Condition("\(self[.id]) = ?", [.blob(id.bytes)]), connection)
    return connection.changes > 0
  }

  /// Ends a failed attempt.
  func markAsFailed(
    key: Int64, error: String, at now: Date, _ rules: OutboxRules,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let count =
      rules.attemptCounting == .failed ? "\(self[.attemptCount]) + 1" : self[.attemptCount]
    try set(
      "\(self[.status]) = 'failed', \(self[.errorMessage]) = ?, \(self[.lastAttemptAt]) = ?, "
        + "\(self[.attemptCount]) = \(count)",
      [.text(error), now.stored], key: key, connection)
  }

  /// Writes the mutable values of an event; returns an error if its metadata can't be written.
  ///
  /// The stored metadata text stays if it has the same meaning as the event's metadata, or if it
  /// can't be read and the event has no metadata.
  func update(
    key: Int64, _ event: OutboxEvent, _ connection: borrowing Connection
  ) throws(SQLiteError) -> OutboxMetadataError? {
    let stored = try connection.value(
      "SELECT \(self[.metadata]) FROM \(table) WHERE Z_PK = ?", [.integer(key)])
    let present = stored?.bytes.flatMap { try? OutboxMetadata(utf8: $0) }
    var metadata = stored ?? .null
    if present != event.metadata {
      do throws(OutboxMetadataError) {
        let text = try event.metadata?.text
        metadata = text.map { .text($0) } ?? .null
      } catch {
        return error
      }
    }
    try set(
      """
      \(self[.status]) = ?, \(self[.lastAttemptAt]) = ?, \(self[.attemptCount]) = ?,
      \(self[.errorMessage]) = ?, \(self[.completedAt]) = ?, \(self[.metadata]) = ?
      """,
      [
        .text(event.status.rawValue), event.lastAttemptAt.map(\.stored) ?? .null,
        .integer(Int64(event.attemptCount)), event.errorMessage.map { .text($0) } ?? .null,
        event.completedAt.map(\.stored) ?? .null, metadata,
      ], key: key, connection)
    return nil
  }

  private func set(
    _ assignments: String, _ values: [Value], key: Int64, if condition: Condition = .all([]),
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.execute(
      "UPDATE \(table) SET \(assignments), \(raisedLock) WHERE Z_PK = ? AND \(condition.sql)",
      values + [.integer(key)] + condition.values)
  }

  /// The assignment by which Core Data increments a row's counter with every update.
  var raisedLock: String { "Z_OPT = coalesce(Z_OPT, 0) + 1" }
}

extension OutboxTable {
  /// Puts failed events back into the queue.
  ///
  /// These are the events with attempts left and, if requested, exhausted events, whose attempt
  /// count becomes 0.
  ///
  /// - Parameters:
  ///   - selection: The events, of which only failed ones are changed.
  ///   - includingExhausted: Whether to include events without attempts left.
  ///   - connection: The store, in a transaction.
  /// - Returns: The number of changed events.
  /// - Throws: SQLite's error.
  package func resetForRetry(
    _ selection: OutboxSelection = OutboxSelection(), includingExhausted: Bool = false,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    try resetForRetry(
      condition(selection), includingExhausted: includingExhausted, connection)
  }

  /// Puts failed events with attempts left back into the queue, selected by id.
  func resetForRetry(
    ids: [UUID], _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    try list(ids, connection)
    return try resetForRetry(
      Condition("\(self[.id]) IN (SELECT id FROM temp.outbox_ids)"), includingExhausted: false,
      connection)
  }

  /// Puts failed events back into the queue, selected by the keys of their rows.
  package func resetForRetry(
    keys: [Int64], includingExhausted: Bool = false, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    let places = keys.map { _ in "?" }.joined(separator: ", ")
    return try resetForRetry(
      Condition("Z_PK IN (\(places))", keys.map { .integer($0) }),
      includingExhausted: includingExhausted, connection)
  }

  /// Returns the first of some keys that no row has; `nil` if all keys have rows.
  package func missingKey(
    among keys: [Int64], _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    for key in keys
    where try connection.value("SELECT 1 FROM \(table) WHERE Z_PK = ?", [.integer(key)]) == nil {
      return key
    }
    return nil
  }

  private func resetForRetry(
    _ condition: Condition, includingExhausted: Bool, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    let isRetryable = "\(self[.attemptCount]) < \(self[.maxAttempts])"
    try connection.execute(
      """
      UPDATE \(table) SET \(self[.status]) = 'pending', \(self[.errorMessage]) = NULL,
      \(self[.attemptCount]) = CASE WHEN \(isRetryable) THEN \(self[.attemptCount]) ELSE 0 END,
      \(raisedLock) WHERE \(self[.status]) = 'failed'
      AND \(includingExhausted ? "TRUE" : isRetryable) AND (\(condition.sql))
      """, condition.values)
    return Int(connection.changes)
  }

  /// Gives undelivered events all their attempts again.
  ///
  /// The dates of their last attempts stay.
  func renewAttempts(
    ofUser userID: String?, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let condition = condition(OutboxSelection(userID: userID))
    try connection.execute(
      """
      UPDATE \(table) SET \(self[.attemptCount]) = 0, \(raisedLock)
      WHERE \(self[.attemptCount]) > 0 AND \(self[.status]) <> 'completed' AND \(condition.sql)
      """, condition.values)
  }

  /// Copies ids to a temporary table of the connection, for one pass over the outbox.
  func list(_ ids: [UUID], _ connection: borrowing Connection) throws(SQLiteError) {
    try connection.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS outbox_ids (id BLOB PRIMARY KEY) WITHOUT ROWID;
      DELETE FROM temp.outbox_ids
      """)
    var insertion = try connection.prepare("INSERT OR IGNORE INTO temp.outbox_ids VALUES (?)")
    for id in ids {
      try insertion.bind([.blob(id.bytes)])
      try insertion.run()
    }
  }
}

extension Date {
  /// The date as stored, in seconds since 2001-01-01 UTC.
  var stored: Value { .real(timeIntervalSinceReferenceDate) }
}
