import SQLite
import Migrations
import RowRewriting

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

  /// Makes an empty table in place of the connection's last one.
  static func make(
    expectedCount: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> PendingEvents {
    try connection.execute("DROP TABLE IF EXISTS temp.delivery_pending")
    try connection.execute(
      """
      CREATE TEMP TABLE delivery_pending (
        key INTEGER PRIMARY KEY, subject INTEGER, entity BLOB, created REAL, deed INTEGER,
        status INTEGER, flags INTEGER, user BLOB, backend TEXT)
      """)
    return PendingEvents(
      insertion: try connection.prepare(
        """
        INSERT INTO temp.delivery_pending VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """, isPersistent: true),
      entities: EntityFilter(expectedCount: expectedCount))
  }

  /// Enters an event; events come in the order of their keys.
  mutating func add(_ entry: Entry) throws(SQLiteError) {
    let event = entry.event
    try insertion.bindInt64(entry.place.key, at: 1)
    try insertion.bindInt64(event.intent.subject.rawValue, at: 2)
    try insertion.bindBlob(event.entity.span, at: 3)
    try insertion.bindDouble(entry.place.created, at: 4)
    try insertion.bindInt64(event.intent.deed.rawValue, at: 5)
    try insertion.bindInt64(entry.status.place, at: 6)
    try insertion.bindInt64(entry.flags.rawValue, at: 7)
    try insertion.bind(event.user.map { .blob($0) } ?? .null, at: 8)
    try insertion.bind(event.backendID.map { .text($0) } ?? .null, at: 9)
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

extension OutboxStatus {
  /// Its place among all of them.
  fileprivate var place: Int64 { Int64(Self.allCases.firstIndex(of: self) ?? Self.allCases.count) }

  fileprivate init?(place: Int64) {
    guard let place = Int(exactly: place), Self.allCases.indices.contains(place) else { return nil }
    self = Self.allCases[place]
  }
}

extension PendingEvents.Entry {
  /// What holds of an entry or doesn't, in one column.
  fileprivate struct Flags: OptionSet {
    let rawValue: Int64

    static let isWritten = Flags(rawValue: 1)
    static let isHistory = Flags(rawValue: 2)
    static let holdsSecret = Flags(rawValue: 4)
  }

  fileprivate var flags: Flags {
    var flags: Flags = []
    if isWritten { flags.insert(.isWritten) }
    if isHistory { flags.insert(.isHistory) }
    if holdsSecret { flags.insert(.holdsSecret) }
    return flags
  }

  /// The event in the row that ``PendingEvents/query`` is at, in the form of the versions up to V6.
  ///
  /// None if the table isn't this type's.
  init?(_ row: borrowing Statement) {
    guard let subject = OutboxSubject(rawValue: row.int64(at: 1)),
      let deed = OutboxIntent.Deed(rawValue: row.int64(at: 4)),
      let status = OutboxStatus(place: row.int64(at: 5))
    else { return nil }
    event = OutboxEvent(
      OutboxIntent(subject, deed), entity: row.bytes(at: 2),
      user: row.isNull(at: 7) ? nil : row.bytes(at: 7), backendID: row.string(at: 8),
      EntityFacts())
    self.status = status
    place = OutboxIndex.Place(created: row.double(at: 3), key: row.int64(at: 0))
    let flags = Flags(rawValue: row.int64(at: 6))
    isWritten = flags.contains(.isWritten)
    isHistory = flags.contains(.isHistory)
    holdsSecret = flags.contains(.holdsSecret)
  }
}
