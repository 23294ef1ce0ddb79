import OutboxFormat
import JSONText
package import OutboxCore
package import SQLite
package import StoreFormat

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Cleans up a user's outbox, as FitIQ's emergency cleanup was meant to, and loses nothing.
///
/// It removes delivered events, events other than deletes about missing entities, and the second of
/// two events that create the same entity. All other events stay, whatever their type; failed and
/// interrupted ones become pending, with all attempts left. An entity that the server doesn't have
/// gets an event if it has no event yet.
public struct OutboxReset: Sendable {
  /// The number of events by what was done with them.
  public struct Counts: Hashable, Sendable {
    /// The delivered events that were removed.
    public internal(set) var delivered = 0

    /// The removed events, other than deletes, whose entity isn't in the store.
    public internal(set) var orphaned = 0

    /// The removed events that would have created an entity that another event creates.
    public internal(set) var doubled = 0

    /// The events that had failed or were interrupted, and are pending again.
    public internal(set) var renewed = 0

    /// The new events, for entities that the server doesn't have.
    public internal(set) var created = 0

    /// All events to be sent now.
    public internal(set) var open = 0
  }

  private let check: OutboxCheck
  private var table: OutboxTable { check.table }

  /// Prepares the cleanup of a store's outbox.
  package init(_ store: StoreDescription) throws(OutboxError) {
    check = try OutboxCheck(store)
  }

  /// Cleans up the outbox, within a transaction of the caller.
  ///
  /// The user's id is spelled as ``OutboxUsers/spelling(of:_:)`` returns it.
  ///
  /// - Throws: A ``SQLiteError`` if the store can't be read or written, or is damaged.
  package func carryOut(
    forUser userID: String, at now: Date, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Counts {
    try check.requireEntities(connection)
    var counts = Counts()
    let ofUser = OutboxSelection(userID: userID)
    counts.delivered = try table.delete(
      table.condition(OutboxSelection(userID: userID, status: .completed)), connection)
    counts.orphaned = try check.deleteOrphans(ofUser: userID, connection)
    counts.doubled = try deleteDoubles(ofUser: userID, connection)
    counts.renewed = try renew(ofUser, connection)
    counts.created = try create(forUser: userID, at: now, connection)
    counts.open =
      try connection.value(
        "SELECT count(*) FROM \(table.table) WHERE \(table[.userID]) = ? AND \(table.isReadable)",
        [.text(userID)])?.int64.map { Int($0) } ?? 0
    return counts
  }

  private func deleteDoubles(
    ofUser userID: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    try table.delete(
      Condition(
        """
        Z_PK IN (SELECT key FROM (SELECT Z_PK AS key, row_number() OVER (PARTITION BY
        \(table[.eventType]), \(table[.entityID]) ORDER BY Z_PK) AS place FROM \(table.table)
        WHERE \(table[.userID]) = ? AND \(table[.status]) <> 'completed'
        AND \(table[.isNewRecord]) <> 0 AND \(table.isReadable) AND \(check.isNoDelete)) WHERE place > 1)
        """, [.text(userID)]), connection)
  }

  private func renew(
    _ selection: OutboxSelection, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    let condition = table.condition(selection)
    try connection.execute(
      """
      UPDATE \(table.table) SET \(table[.status]) = 'pending', \(table[.attemptCount]) = 0,
      \(table[.errorMessage]) = NULL, \(table.raisedLock)
      WHERE \(table[.status]) IN ('failed', 'processing') AND \(table.isReadable)
      AND (\(condition.sql))
      """, condition.values)
    return Int(connection.changes)
  }
}

extension OutboxReset {
  /// Creates events for the user's entities that the server doesn't have.
  private func create(
    forUser userID: String, at now: Date, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    guard let owner = UUID(uuidString: userID), table.extras.allSatisfy({ $0.value != nil }) else {
      return 0
    }
    try check.listOpen(connection)
    var count = 0
    for type in OutboxEventType.allCases where check.rules.madeAnew.contains(type) {
      guard let subject = check.subjects[type] else { continue }
      var last = Int64(0)
      while let (key, id) = try next(subject, type, of: owner, userID, after: last, connection) {
        last = key
        guard let entity = try subject.representation(ofKey: key, connection) else { continue }
        let event = OutboxEvent(
          eventType: type, entityID: id, userID: userID, createdAt: now,
          metadata: OutboxMetadata(type, entity.body), priority: type == .progressEntry ? 0 : 5,
          isNewRecord: entity.backendID == nil)
        _ = try table.insert(event, metadata: try? event.metadata?.text, connection)
        count += 1
      }
    }
    return count
  }

  /// Returns the user's next entity that the server doesn't have and no event is about.
  private func next(
    _ subject: RequestTable, _ type: OutboxEventType, of owner: UUID, _ userID: String,
    after last: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> (key: Int64, id: UUID)? {
    let rows = try connection.rows(
      """
      SELECT e.Z_PK, e.\(subject.id) FROM \(subject.table) AS e WHERE e.Z_PK > ?
      AND e.Z_ENT = \(subject.rows.entityNumber) AND typeof(e.\(subject.id)) = 'blob'
      AND length(e.\(subject.id)) = 16 AND \(subject.isUnsynced)
      AND \(subject.ownerExpression) IN (?, ?) AND \(check.isUnheardOf(subject, type))
      ORDER BY e.Z_PK LIMIT 1
      """, [.integer(last), .blob(owner.bytes), .text(userID)])
    guard let row = rows.first, let key = row[0].int64, let id = row[1].bytes.flatMap(UUID.init)
    else { return nil }
    return (key, id)
  }
}

extension OutboxMetadata {
  /// Creates the metadata that an app would write for an entity; `nil` for most types.
  fileprivate init?(_ type: OutboxEventType, _ body: JSONValue) {
    switch (type, body["type"], body["quantity"], body["title"], body["category"]) {
    case (.progressEntry, .string(let metric), .int(let number), _, _):
      self = .progressEntry(metricType: metric, value: Double(number), unit: "")
    case (.progressEntry, .string(let metric), .double(let number), _, _):
      self = .progressEntry(metricType: metric, value: number, unit: "")
    case (.goal, _, _, .string(let title), .string(let category)):
      self = .goal(title: title, category: category)
    default: return nil
    }
  }
}
