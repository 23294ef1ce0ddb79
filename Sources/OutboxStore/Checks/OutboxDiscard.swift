import OutboxCore
package import SQLite
package import StoreFormat

/// Removes all events of a user's outbox, also those that are still to be sent.
package struct OutboxDiscard: Sendable {
  /// What was removed, and what the server therefore doesn't get.
  package struct Counts: Hashable, Sendable {
    /// The number of removed events, delivered or not.
    package let removed: Int

    /// The requests that a delivery would have sent.
    package let lost: DeliveryForecast
  }

  /// Removes the events, within a transaction of the caller; entities stay.
  ///
  /// - Throws: An ``OutboxError`` if the store has no outbox of FitIQCore's form, or SQLite's error.
  /// - Complexity: O(*n* log *n*) in the number of rows.
  package static func carryOut(
    on store: StoreDescription, forUser userID: String, _ connection: borrowing Connection
  ) throws -> Counts {
    let lost = try DeliveryForecast(of: store, userID: userID, connection)
    let table = try OutboxTable(store)
    return Counts(
      removed: try table.delete(table.condition(OutboxSelection(userID: userID)), connection),
      lost: lost)
  }
}
