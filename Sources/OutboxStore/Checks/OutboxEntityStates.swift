package import OutboxCore
package import SQLite

/// The numbers of entities of a type by what the store says of their upload.
public struct OutboxEntityStates: Hashable, Sendable {
  /// The number of entities.
  public let entities: Int

  /// The entities by sync status.
  ///
  /// One without a status is synced if it has an id from the server, and otherwise pending.
  public let pending: Int
  public let syncing: Int
  public let synced: Int
  public let failed: Int

  /// The entities that an event that isn't completed is about.
  public let queued: Int

  /// The entities that aren't on the server, and that no such event is about.
  public let missing: Int

  /// Whether the store records the upload of these entities; it doesn't for profiles.
  public let isRecorded: Bool

  /// The entities whose sync status is another one, or that have none.
  public var other: Int { entities - pending - syncing - synced - failed }

  /// The part of the entities that is synced, in percent; 100 without entities.
  public var syncRate: Double {
    entities == 0 ? 100 : Double(synced) / Double(entities) * 100
  }
}

extension OutboxCheck {
  /// Counts the entities that events can be about, by type; the store lacks types without a value.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows.
  package func entityStates(
    in scope: OutboxScope = OutboxScope(), _ connection: borrowing Connection
  ) throws(SQLiteError) -> [OutboxEventType: OutboxEntityStates] {
    try listOpen(connection)
    var states: [OutboxEventType: OutboxEntityStates] = [:]
    // Events about chats only delete; their entities aren't uploaded.
    for (type, subject) in subjects
    where type != .chatMessage && (scope.eventType ?? type) == type {
      states[type] = try self.states(of: subject, type, in: scope, connection)
    }
    return states
  }

  private func states(
    of subject: RequestTable, _ type: OutboxEventType, in scope: OutboxScope,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> OutboxEntityStates? {
    let isInScope = scope.condition(subject)
    let counted =
      ["pending", "syncing", "synced", "failed"].map { subject.isIn(state: $0) }
      + ["NOT (\(isUnheardOf(subject, type)))"]
      + ["\(subject.isUnsynced) AND \(isUnheardOf(subject, type))"]
    let counts = counted.map { "count(*) FILTER (WHERE \($0))" }.joined(separator: ", ")
    var row = try connection.prepare(
      "SELECT count(*), \(counts) FROM \(subject.table) AS e WHERE \(isInScope.sql)")
    try row.bind(isInScope.values)
    guard try row.step() else { return nil }
    func count(_ place: Int) -> Int { Int(row.int64(at: place)) }
    return OutboxEntityStates(
      entities: count(0), pending: count(1), syncing: count(2), synced: count(3),
      failed: count(4), queued: count(5), missing: count(6), isRecorded: subject.recordsUpload)
  }
}

extension RequestTable {
  /// Whether the store records the upload of the entities.
  fileprivate var recordsUpload: Bool { syncStatus != nil || backendID != nil }

  /// Returns the SQL condition that the row `e` has a sync status.
  fileprivate func isIn(state: String) -> String {
    if let syncStatus { return "e.\(syncStatus) = '\(state)'" }
    guard let backendID else { return "FALSE" }
    switch state {
    case "pending": return "coalesce(e.\(backendID), '') = ''"
    case "synced": return "e.\(backendID) <> ''"
    default: return "FALSE"
    }
  }
}
