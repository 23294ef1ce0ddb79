package import OutboxCore
package import SQLite

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A selection of events; a value of `nil` selects all.
package struct OutboxSelection: Hashable, Sendable {
  package var userID: String?
  package var status: OutboxEventStatus?
  package var eventType: OutboxEventType?
  package var entityID: UUID?

  package init(
    userID: String? = nil, status: OutboxEventStatus? = nil, eventType: OutboxEventType? = nil,
    entityID: UUID? = nil
  ) {
    self.userID = userID
    self.status = status
    self.eventType = eventType
    self.entityID = entityID
  }
}

/// A part of a WHERE clause, with the values of its unnumbered parameters.
struct Condition {
  var sql: String
  var values: [Value]

  init(_ sql: String, _ values: [Value] = []) {
    self.sql = sql
    self.values = values
  }

  /// Returns the condition that all of several conditions hold.
  static func all(_ conditions: [Condition]) -> Condition {
    conditions.isEmpty
      ? Condition("TRUE")
      : Condition(
        conditions.map { "(\($0.sql))" }.joined(separator: " AND "), conditions.flatMap(\.values))
  }
}

extension OutboxTable {
  /// The order of events in a result; events that compare equal are in the order of their keys.
  enum Order {
    /// The order in which events are sent: by priority, then oldest first.
    case queue
    case oldestFirst
  }

  func condition(_ selection: OutboxSelection) -> Condition {
    func isEqual(_ attribute: Attribute, _ value: Value) -> Condition {
      Condition("\(self[attribute]) = ?", [value])
    }
    return .all(
      [
        selection.userID.map { isEqual(.userID, .text($0)) },
        selection.status.map { isEqual(.status, .text($0.rawValue)) },
        selection.eventType.map { isEqual(.eventType, .text($0.rawValue)) },
        selection.entityID.map { isEqual(.entityID, .blob($0.bytes)) },
      ].compactMap(\.self))
  }

  /// Returns the condition for events to be sent: pending, or failed with attempts left.
  func pending(ofUser userID: String?) -> Condition {
    .all([
      condition(OutboxSelection(userID: userID)),
      Condition(
        """
        \(self[.status]) = 'pending' OR (\(self[.status]) = 'failed'
        AND \(self[.attemptCount]) < \(self[.maxAttempts]))
        """),
    ])
  }

  /// Reads events, each with its row's key.
  ///
  /// - Complexity: One pass over the table, with memory for at most `limit` rows.
  func events(
    _ condition: Condition, in order: Order = .oldestFirst, limit: Int? = nil,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [(key: Int64, event: OutboxEvent)] {
    let sequence =
      switch order {
      case .queue: queueOrder
      case .oldestFirst: "\(self[.createdAt]), Z_PK"
      }
    var row = try connection.prepare(
      """
      SELECT \(columnList) FROM \(table) WHERE (\(condition.sql)) AND \(isReadable)
      ORDER BY \(sequence) LIMIT \(limit.map { max(0, $0) } ?? -1)
      """)
    try row.bind(condition.values)
    var events: [(key: Int64, event: OutboxEvent)] = []
    while try row.step() {
      let read = OutboxRow(row)
      if let event = read.event { events.append((read.key, event)) }
    }
    return events
  }

  /// Returns the number of events.
  func count(
    _ condition: Condition, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    let sql = "SELECT count(*) FROM \(table) WHERE \(condition.sql) AND \(isReadable)"
    return try connection.value(sql, condition.values)?.int64.map { Int($0) } ?? 0
  }

  /// Reads rows, readable or not, in the order of their keys.
  ///
  /// - Parameters:
  ///   - selection: The rows to read.
  ///   - last: The key after which to begin.
  ///   - limit: The maximum number of rows.
  ///   - connection: The store.
  /// - Returns: The rows.
  /// - Throws: SQLite's error.
  package func rows(
    _ selection: OutboxSelection = OutboxSelection(), after last: Int64 = 0, limit: Int,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [OutboxRow] {
    try rows(.all([condition(selection)]), after: last, limit: limit, connection)
  }

  /// Reads the rows that can't be read as events, in the order of their keys.
  package func unreadableRows(
    after last: Int64 = 0, limit: Int, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [OutboxRow] {
    try rows(Condition("(\(isReadable)) IS NOT TRUE"), after: last, limit: limit, connection)
  }

  /// Returns the number of rows that can't be read as events.
  package func unreadableCount(_ connection: borrowing Connection) throws(SQLiteError) -> Int {
    let sql = "SELECT count(*) FROM \(table) WHERE (\(isReadable)) IS NOT TRUE"
    return try connection.value(sql)?.int64.map { Int($0) } ?? 0
  }

  private func rows(
    _ condition: Condition, after last: Int64, limit: Int, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [OutboxRow] {
    var row = try connection.prepare(
      """
      SELECT \(columnList) FROM \(table) WHERE \(condition.sql) AND Z_PK > ?
      ORDER BY Z_PK LIMIT \(max(0, limit))
      """)
    try row.bind(condition.values + [.integer(last)])
    var rows: [OutboxRow] = []
    while try row.step() { rows.append(OutboxRow(row)) }
    return rows
  }
}
