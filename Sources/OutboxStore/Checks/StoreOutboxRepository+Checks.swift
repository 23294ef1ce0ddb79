public import OutboxCore
import SQLite

extension StoreOutboxRepository {
  /// Checks every event, and every entity that events can be about.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows.
  public func verify() throws(OutboxError) -> OutboxFindings {
    let check = try OutboxCheck(store, rules: rules)
    let moment = now()
    return try using { connection throws(SQLiteError) in
      try check.findings(at: moment, connection)
    }
  }

  /// Finds the events, except deletes, whose entity isn't in the store.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows.
  public func findOrphans(forUserID userID: String? = nil) throws(OutboxError) -> OutboxFindings {
    let check = try OutboxCheck(store, rules: rules)
    return try using { connection throws(SQLiteError) in
      try check.orphans(ofUser: userID, connection)
    }
  }

  /// Repairs a user's queue, as ``OutboxReset`` describes; no change that is still to be sent is lost.
  ///
  /// It takes no snapshot: back up the store's files before. The case of letters doesn't matter in a
  /// UUID.
  ///
  /// - Throws: An `OutboxError`; the store is unchanged then.
  public func reset(forUserID userID: String) throws(OutboxError) -> OutboxReset.Counts {
    let (users, reset) = (try OutboxUsers(store), try OutboxReset(store))
    let moment = now()
    let counts = try write { connection throws(SQLiteError) -> OutboxReset.Counts? in
      guard let spelled = try users.spelling(of: userID, connection) else { return nil }
      return try reset.carryOut(forUser: spelled, at: moment, connection)
    }
    guard let counts else { throw .noSuchUser(userID) }
    return counts
  }
}
