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
        key INTEGER PRIMARY KEY, created REAL, subject INTEGER, deed INTEGER, status INTEGER,
        entity BLOB, user BLOB, backend TEXT, is_written INTEGER, is_history INTEGER,
        holds_secret INTEGER)
      """)
    return PendingEvents(
      insertion: try connection.prepare(
        """
        INSERT INTO temp.delivery_pending VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
        """, isPersistent: true),
      entities: EntityFilter(for: count))
  }

  /// Enters an event; events come in the order of their keys.
  mutating func add(_ entry: Entry) throws(SQLiteError) {
    let event = entry.event
    try insertion.bindInt64(entry.place.key, at: 1)
    try insertion.bindDouble(entry.place.created, at: 2)
    try insertion.bindInt64(event.intent.subject.rawValue, at: 3)
    try insertion.bindInt64(event.intent.deed.rawValue, at: 4)
    try insertion.bindInt64(entry.status.number, at: 5)
    try insertion.bindBlob(event.entity.span, at: 6)
    try insertion.bind(event.user.map { .blob($0) } ?? .null, at: 7)
    try insertion.bind(event.backendID.map { .text($0) } ?? .null, at: 8)
    try insertion.bindInt64(entry.isWritten ? 1 : 0, at: 9)
    try insertion.bindInt64(entry.isHistory ? 1 : 0, at: 10)
    try insertion.bindInt64(entry.holdsSecret ? 1 : 0, at: 11)
    try insertion.run()
    entities.enter(event.intent.subject, event.entity)
  }

  /// The query of all events, in the order of their keys.
  static let query = "SELECT * FROM temp.delivery_pending ORDER BY key"

  /// Returns whether others may be about the entity of the event in the row that ``query`` is at.
  func isRepeated(_ row: borrowing Statement) -> Bool {
    guard let subject = OutboxSubject(rawValue: row.int64(at: 2)) else { return false }
    return row.withBytes(at: 5) { entities.mayBeRepeated(subject, $0) }
  }
}

extension OutboxStatus {
  /// The statuses by what stands in the table for them.
  private static let numbered: [OutboxStatus] = [.pending, .processing, .completed, .failed]

  fileprivate var number: Int64 { Int64(Self.numbered.firstIndex(of: self) ?? 0) }

  fileprivate init?(number: Int64) {
    guard let place = Int(exactly: number), Self.numbered.indices.contains(place) else {
      return nil
    }
    self = Self.numbered[place]
  }
}

extension PendingEvents.Entry {
  /// The event in the row that ``PendingEvents/query`` is at, in the form of the versions up to V6.
  ///
  /// None if the table isn't this type's.
  init?(_ row: borrowing Statement) {
    guard let subject = OutboxSubject(rawValue: row.int64(at: 2)),
      let deed = OutboxIntent.Deed(rawValue: row.int64(at: 3)),
      let status = OutboxStatus(number: row.int64(at: 4))
    else { return nil }
    event = OutboxEvent(
      OutboxIntent(subject, deed), entity: row.bytes(at: 5),
      user: row.isNull(at: 6) ? nil : row.bytes(at: 6), backendID: row.string(at: 7),
      EntityFacts())
    self.status = status
    place = OutboxIndex.Place(created: row.double(at: 1), key: row.int64(at: 0))
    isWritten = row.int64(at: 8) != 0
    isHistory = row.int64(at: 9) != 0
    holdsSecret = row.int64(at: 10) != 0
  }
}
