import OutboxCore
import SQLite

extension OutboxTable {
  /// The temporary table of the events to be sent: their keys, and what selects and orders them.
  ///
  /// Its columns have the names of the store's. It has only rows that can be read as events.
  static let queue = "temp.outbox_queue"

  private static let queued: [Attribute] = [
    .userID, .priority, .createdAt, .status, .attemptCount, .lastAttemptAt, .eventType, .entityID,
  ]

  /// Reads all events to be sent into the temporary table, and keeps it up to date from then on.
  ///
  /// Temporary triggers change the table after each change by this connection. When another connection has
  /// changed the store, fill the table again, in a transaction with the reading of its version.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows; O(log *n*) for each later change.
  func fillQueue(_ connection: borrowing Connection) throws(SQLiteError) {
    let columns = (["Z_PK"] + Self.queued.map { self[$0] }).joined(separator: ", ")
    let insertion =
      """
      INSERT INTO outbox_queue SELECT \(columns) FROM \(table)
      WHERE (\(pending(ofUser: nil).sql)) AND \(isReadable)
      """
    let columnsOfTable = "Z_PK INTEGER PRIMARY KEY" + columns.dropFirst("Z_PK".count)
    // Indexes that are made from all rows take half the time of those that each row changes.
    try connection.execute(
      """
      DROP INDEX IF EXISTS temp.outbox_order;
      DROP INDEX IF EXISTS temp.outbox_retries;
      CREATE TEMP TABLE IF NOT EXISTS outbox_queue (\(columnsOfTable));
      DELETE FROM temp.outbox_queue;
      \(insertion);
      CREATE INDEX temp.outbox_order ON outbox_queue
      (\(self[.userID]), \(self[.priority]) DESC, \(self[.createdAt]));
      CREATE INDEX temp.outbox_retries ON outbox_queue (\(self[.lastAttemptAt]))
      WHERE \(self[.status]) = 'failed';
      CREATE TEMP TRIGGER IF NOT EXISTS outbox_insert AFTER INSERT ON \(table)
      BEGIN DELETE FROM outbox_queue WHERE Z_PK = NEW.Z_PK; \(insertion) AND Z_PK = NEW.Z_PK; END;
      CREATE TEMP TRIGGER IF NOT EXISTS outbox_update AFTER UPDATE ON \(table)
      BEGIN DELETE FROM outbox_queue WHERE Z_PK = OLD.Z_PK; \(insertion) AND Z_PK = NEW.Z_PK; END;
      CREATE TEMP TRIGGER IF NOT EXISTS outbox_delete AFTER DELETE ON \(table)
      BEGIN DELETE FROM outbox_queue WHERE Z_PK = OLD.Z_PK; END;
      """)
  }

  /// Returns the users who have events to be sent, in order, but not more than a limit.
  ///
  /// - Complexity: O(*u* log *n*) for *u* users, by the index.
  func queuedUsers(
    limit: Int, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Value] {
    let user = self[.userID]
    return try connection.rows(
      """
      WITH RECURSIVE users (name) AS (
        SELECT min(\(user)) FROM \(Self.queue)
        UNION ALL
        SELECT (SELECT min(\(user)) FROM \(Self.queue) WHERE \(user) > name)
        FROM users WHERE name IS NOT NULL)
      SELECT name FROM users WHERE name IS NOT NULL LIMIT \(limit)
      """
    ).compactMap(\.first)
  }

  /// Reads the events with some keys, in the order of the keys in the list.
  func events(
    withKeys keys: [Int64], _ connection: borrowing Connection
  ) throws(SQLiteError) -> [(key: Int64, event: OutboxEvent)] {
    var row = try connection.prepare("SELECT \(columnList) FROM \(table) WHERE Z_PK = ?")
    var events: [(key: Int64, event: OutboxEvent)] = []
    for key in keys {
      try row.bind([.integer(key)])
      // A statement takes new values after its last row.
      while try row.step() {
        if let event = OutboxRow(row).event { events.append((key, event)) }
      }
    }
    return events
  }
}
