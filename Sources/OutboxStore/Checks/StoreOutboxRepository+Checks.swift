public import OutboxCore
import SQLite

extension StoreOutboxRepository {
  /// Checks every event in a scope, and every entity in it that events can be about.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows.
  public func verify(
    _ scope: OutboxScope = OutboxScope()
  ) throws(OutboxError) -> OutboxFindings {
    let check = try OutboxCheck(store, rules: rules)
    let moment = now()
    return try using { connection throws(SQLiteError) in
      try check.findings(at: moment, in: scope, connection)
    }
  }

  /// Counts the entities in a scope by type and sync status; the store lacks types without a value.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows.
  public func entityStates(
    _ scope: OutboxScope = OutboxScope()
  ) throws(OutboxError) -> [OutboxEventType: OutboxEntityStates] {
    let check = try OutboxCheck(store, rules: rules)
    return try using { connection throws(SQLiteError) in
      try check.entityStates(in: scope, connection)
    }
  }

  /// Removes the open events, except deletes, whose entity isn't in the store.
  ///
  /// It takes no snapshot: back up the store's files before.
  ///
  /// - Returns: The number of removed events.
  /// - Throws: An `OutboxError`; the store is unchanged then.
  @discardableResult
  public func removeOrphans(forUserID userID: String? = nil) throws(OutboxError) -> Int {
    let check = try OutboxCheck(store, rules: rules)
    return try write { connection throws(SQLiteError) in
      try check.removeOrphans(ofUser: userID, connection)
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
