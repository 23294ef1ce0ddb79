import OutboxFormat
package import SQLite

/// An index of an outbox's events by the entities that they are about.
///
/// The index is a temporary table, to find rows that cancel each other in constant memory.
package struct OutboxIndex: ~Copyable {
  private var insertion: Statement
  private var deletes: Statement
  private var creates: Statement
  private var updates: Statement
  private var others: Statement
  private var sameDeletes: Statement

  private init(
    insertion: consuming Statement, deletes: consuming Statement, creates: consuming Statement,
    updates: consuming Statement, others: consuming Statement, sameDeletes: consuming Statement
  ) {
    self.insertion = insertion
    self.deletes = deletes
    self.creates = creates
    self.updates = updates
    self.others = others
    self.sameDeletes = sameDeletes
  }

  /// Creates an empty index, which replaces the connection's previous index.
  package static func make(_ connection: borrowing Connection) throws(SQLiteError) -> OutboxIndex {
    try connection.execute("DROP TABLE IF EXISTS temp.delivery_events")
    try connection.execute(
      """
      CREATE TEMP TABLE delivery_events (
        subject INTEGER, entity BLOB, operation INTEGER, is_closed INTEGER, created REAL, key INTEGER,
        user BLOB, backend TEXT, is_written INTEGER,
        PRIMARY KEY (subject, entity, operation, is_closed, created, key)) WITHOUT ROWID
      """)
    return OutboxIndex(
      insertion: try connection.prepare(
        "INSERT INTO temp.delivery_events VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        isPersistent: true),
      deletes: try connection.prepare(deletesAfter), creates: try connection.prepare(createsBefore),
      updates: try connection.prepare(lastUpdate), others: try connection.prepare(sentBefore),
      sameDeletes: try connection.prepare(lastSameDelete))
  }

  /// The position of an event, by date and key.
  package struct Place: Hashable {
    package let created: Double
    package let key: Int64
  }

  /// An event with its position among the others.
  package struct Entry {
    let event: LumeEvent

    /// The 16 bytes of the event's user: the user it names, otherwise the live entity's owner.
    package let user: [UInt8]?
    package let isOpen: Bool

    /// Whether the V7 app wrote the event.
    package let isWritten: Bool
    package let place: Place

    /// Whether another row may depend on it.
    ///
    /// Of the rows that were sent, only deletes count.
    var concernsOthers: Bool { isOpen || event.intent.operation == .delete }
  }

  /// Adds a row.
  package mutating func add(_ entry: Entry) throws(SQLiteError) {
    let event = entry.event
    try insertion.bind([
      .integer(event.intent.subject.rawValue), .blob(event.entity),
      .integer(event.intent.operation.rawValue), .integer(entry.isOpen ? 0 : 1),
      .real(entry.place.created), .integer(entry.place.key),
      entry.user.map { .blob($0) } ?? .null, event.backendID.map { .text($0) } ?? .null,
      .integer(entry.isWritten ? 1 : 0),
    ])
    try insertion.run()
  }

  /// Returns the other rows about the entity of an open row.
  ///
  /// - Parameters:
  ///   - entry: The row.
  ///   - isLive: Whether the store has the entity.
  /// - Returns: The rows that the row's outcome depends on.
  /// - Throws: A `SQLiteError` if the index can't be read.
  package mutating func neighbours(
    of entry: Entry, isLive: Bool
  ) throws(SQLiteError) -> OutboxNeighbours {
    var neighbours = OutboxNeighbours()
    let intent = entry.event.intent
    switch (intent.operation, isLive) {
    case (.delete, true): break
    case (.delete, false):
      neighbours.create = try Self.key(&creates, entry)
      let isCancelled = entry.event.needsNoDeleting && neighbours.create != nil
      if !isCancelled, !entry.isWritten {
        neighbours.twin = try Self.twin(&sameDeletes, entry)
      }
    case (_, false): neighbours.delete = try Self.key(&deletes, entry)
    case (.update, true):
      guard intent.subject == .goal, !entry.isWritten else { break }
      neighbours.twin = try Self.twin(&updates, entry)
    case (.create, true): neighbours.isPreceded = try Self.key(&others, entry) != nil
    }
    return neighbours
  }

  private static func twin(
    _ statement: inout Statement, _ entry: Entry
  ) throws(SQLiteError) -> Int64? {
    let key = try key(&statement, entry)
    return key == entry.place.key ? nil : key
  }

  private static func key(
    _ statement: inout Statement, _ entry: Entry
  ) throws(SQLiteError) -> Int64? {
    try statement.bind(
      [
        .integer(entry.event.intent.subject.rawValue), .blob(entry.event.entity),
        .real(entry.place.created), .integer(entry.place.key),
        entry.user.map { .blob($0) } ?? .null, entry.event.backendID.map { .text($0) } ?? .null,
      ].prefix(statement.parameterCount).map(\.self))
    guard try statement.step() else { return nil }
    let key = statement.int64(at: 0)
    try statement.run()
    return key
  }
}

// MARK: - Queries

/// The queries' parameters are values of the row whose neighbours they find.
///
/// They are its subject and entity, its date and key, its user, and the id on the server of the
/// entity that it deletes.
extension OutboxIndex {
  private static let deletesAfter = """
    \(events(.delete)) AND (created, key) > (?3, ?4) AND \(ofSameUser)
    ORDER BY is_closed, created, key LIMIT 1
    """

  private static let createsBefore = """
    \(events(.create, isOpen: true)) AND (created, key) < (?3, ?4) AND \(ofSameUser)
    ORDER BY created, key LIMIT 1
    """

  /// The last of the entity's updates, into which the others are folded.
  private static let lastUpdate = """
    \(events(.update, isOpen: true)) AND is_written = 0 AND user IS ?5
    ORDER BY created DESC, key DESC LIMIT 1
    """

  /// The last delete with the same id on the server.
  ///
  /// For a delete without such an id, it is the last delete with any id, otherwise the last delete
  /// that isn't cancelled.
  private static let lastSameDelete = """
    \(events(.delete, isOpen: true)) AND is_written = 0 AND user IS ?5
      AND (backend IS ?6 OR ?6 IS NULL)
      AND (backend IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM temp.delivery_events AS creating
        WHERE subject = ?1 AND entity = ?2 AND operation = \(OutboxIntent.Operation.create.rawValue)
          AND is_closed = 0 AND (creating.created, creating.key) < (events.created, events.key)
          AND \(ofSameUser)))
    ORDER BY backend IS NULL, created DESC, key DESC LIMIT 1
    """

  /// An earlier row that is sent and gives the entity its id on the server.
  ///
  /// Of a goal's updates, only the last counts.
  private static let sentBefore = """
    SELECT key FROM temp.delivery_events AS events
    WHERE subject = ?1 AND entity = ?2 AND is_closed = 0 AND (created, key) < (?3, ?4)
      AND operation <> \(OutboxIntent.Operation.delete.rawValue) AND \(ofSameUser)
      AND (operation = \(OutboxIntent.Operation.create.rawValue) OR is_written = 1
        OR subject <> \(OutboxSubject.goal.rawValue) OR NOT EXISTS (
          SELECT 1 FROM temp.delivery_events AS later
          WHERE later.subject = events.subject AND later.entity = events.entity
            AND later.operation = events.operation AND later.is_closed = 0 AND later.is_written = 0
            AND later.user IS events.user
            AND (later.created, later.key) > (events.created, events.key)))
    LIMIT 1
    """

  private static let ofSameUser = "(user IS NULL OR ?5 IS NULL OR user = ?5)"

  private static func events(_ operation: OutboxIntent.Operation, isOpen: Bool = false) -> String {
    """
    SELECT key FROM temp.delivery_events AS events
    WHERE subject = ?1 AND entity = ?2 AND operation = \(operation.rawValue)\(isOpen ? " AND is_closed = 0" : "")
    """
  }
}
