import SQLite

/// The events of an outbox that are still to be decided about, as far as deciding takes it.
///
/// They stand in a temporary table, in the order in which they were entered.
struct PendingEvents: ~Copyable {
  private var insertion: Statement

  /// Their entities.
  private(set) var entities: EntityFilter

  /// An event with what isn't its own.
  struct Entry {
    var event: OutboxEvent
    let status: OutboxStatus
    let place: OutboxIndex.Place

    /// A Boolean value indicating whether it is only there for others to depend on.
    let isHistory: Bool

    /// A Boolean value indicating whether its row holds a password or a token.
    let holdsSecret: Bool

    /// A Boolean value indicating whether the V7 app wrote it.
    let isWritten: Bool
  }

  private init(insertion: consuming Statement, entities: EntityFilter) {
    self.insertion = insertion
    self.entities = entities
  }

  /// Makes an empty table in place of the connection's last one, for so many events at the most.
  static func make(
    for count: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> PendingEvents {
    try connection.execute("DROP TABLE IF EXISTS temp.delivery_pending")
    try connection.execute(
      """
      CREATE TEMP TABLE delivery_pending (
        key INTEGER PRIMARY KEY, subject INTEGER, entity BLOB, created REAL, traits INTEGER,
        user BLOB, backend TEXT)
      """)
    return PendingEvents(
      insertion: try connection.prepare(
        """
        INSERT INTO temp.delivery_pending VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """, isPersistent: true),
      entities: EntityFilter(for: count))
  }

  /// Enters an event; events come in the order of their keys.
  mutating func add(_ entry: Entry) throws(SQLiteError) {
    let event = entry.event
    try insertion.bindInt64(entry.place.key, at: 1)
    try insertion.bindInt64(event.intent.subject.rawValue, at: 2)
    try insertion.bindBlob(event.entity.span, at: 3)
    try insertion.bindDouble(entry.place.created, at: 4)
    try insertion.bindInt64(entry.traits, at: 5)
    try insertion.bind(event.user.map { .blob($0) } ?? .null, at: 6)
    try insertion.bind(event.backendID.map { .text($0) } ?? .null, at: 7)
    try insertion.run()
    entities.enter(event.intent.subject, event.entity)
  }

  /// The query of all events, in the order of their keys.
  static let query = "SELECT * FROM temp.delivery_pending ORDER BY key"

  /// Returns whether others may be about the entity of the event in the row that ``query`` is at.
  func isRepeated(_ row: borrowing Statement) -> Bool {
    guard let subject = OutboxSubject(rawValue: row.int64(at: 1)) else { return false }
    return row.withBytes(at: 2) { entities.mayBeRepeated(subject, $0) }
  }
}

extension PendingEvents.Entry {
  /// The statuses by what stands in the traits for them.
  private static let statuses: [OutboxStatus] = [.pending, .processing, .completed, .failed]

  /// What is one of a few things, in one number: two bits each for the deed and the status, then flags.
  fileprivate var traits: Int64 {
    let status = Int64(Self.statuses.firstIndex(of: status) ?? 0)
    return event.intent.deed.rawValue | status << 2 | (isWritten ? 16 : 0)
      | (isHistory ? 32 : 0) | (holdsSecret ? 64 : 0)
  }

  /// The event in the row that ``PendingEvents/query`` is at, in the form of the versions up to V6.
  ///
  /// None if the table isn't this type's.
  init?(_ row: borrowing Statement) {
    let traits = row.int64(at: 4)
    guard let subject = OutboxSubject(rawValue: row.int64(at: 1)),
      let deed = OutboxIntent.Deed(rawValue: traits & 3)
    else { return nil }
    event = OutboxEvent(
      OutboxIntent(subject, deed), entity: row.bytes(at: 2),
      user: row.isNull(at: 5) ? nil : row.bytes(at: 5), backendID: row.string(at: 6),
      EntityFacts())
    status = Self.statuses[Int(traits >> 2 & 3)]
    place = OutboxIndex.Place(created: row.double(at: 3), key: row.int64(at: 0))
    isWritten = traits & 16 != 0
    isHistory = traits & 32 != 0
    holdsSecret = traits & 64 != 0
  }
}
