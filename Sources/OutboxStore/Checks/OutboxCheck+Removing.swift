import OutboxCore
import OutboxFormat
package import SQLite

extension OutboxCheck {
  /// Removes the open events, except deletes, whose entity isn't in the store.
  ///
  /// Rows that can't be read as events stay, as do events of types whose entity the store's model
  /// doesn't have.
  ///
  /// - Parameters:
  ///   - userID: The user, as the outbox spells the id; `nil` for all users.
  ///   - connection: The store, in a transaction.
  /// - Returns: The number of removed events.
  /// - Throws: SQLite's error, also if the store is damaged.
  /// - Complexity: O(*n* log *n*) in the bytes of the store: it is checked for damage.
  package func removeOrphans(
    ofUser userID: String?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    try requireEntities(connection)
    return try deleteOrphans(ofUser: userID, connection)
  }

  /// Removes the events that aren't completed, whose entity isn't in the store.
  func deleteOrphans(
    ofUser userID: String?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    let finder = entityFinder
    var count = 0
    try eachEvent(userID, connection) { row, event, connection throws(SQLiteError) in
      guard event.status != .completed, event.metadata?.deletion == nil,
        subjects[event.eventType] != nil,
        try finder.key(event.eventType, event.entityID.bytes.span, connection) == nil
      else { return }
      count += try table.delete(Condition("Z_PK = ?", [.integer(row.key)]), connection)
    }
    return count
  }

  /// Throws if the store is damaged.
  ///
  /// An index that lacks rows hides entities, and the events about them would be removed.
  func requireEntities(_ connection: borrowing Connection) throws(SQLiteError) {
    guard let damage = try connection.integrityCheck(limit: 1).first else { return }
    // 11 is `SQLITE_CORRUPT`: <https://www.sqlite.org/rescode.html#corrupt>.
    throw SQLiteError(code: 11, message: damage)
  }
}
