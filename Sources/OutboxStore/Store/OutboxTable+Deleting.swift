import OutboxCore
package import SQLite

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension OutboxTable {
  /// Removes events that were delivered before a date.
  ///
  /// Delivered events without a date stay.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - userID: The user; `nil` for all users.
  ///   - connection: The store, in a transaction.
  /// - Returns: The number of removed events.
  /// - Throws: SQLite's error.
  package func deleteCompleted(
    olderThan date: Date, ofUser userID: String? = nil, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    try delete(
      .all([
        condition(OutboxSelection(userID: userID, status: .completed)),
        Condition("\(self[.completedAt]) < ?", [date.stored]),
      ]), connection)
  }

  /// Removes all events about some entities, and returns their number.
  func delete(
    entityIDs: [UUID], _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    try list(entityIDs, connection)
    return try delete(
      Condition("\(self[.entityID]) IN (SELECT id FROM temp.outbox_ids)"), connection)
  }

  /// Removes rows, and returns their number.
  func delete(
    _ condition: Condition, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    try connection.execute("DELETE FROM \(table) WHERE \(condition.sql)", condition.values)
    return Int(connection.changes)
  }
}
