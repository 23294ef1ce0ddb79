import OutboxCore
import OutboxFormat
package import SQLite

/// The events of an outbox to decide about, with the values that other events depend on.
///
/// They are in a temporary table, by key.
struct PendingEvents: ~Copyable {
  private var insertion: Statement

  /// The entities of the events.
  package private(set) var entities: EntityFilter

  /// An event with the status and the position of its row.
  package struct Entry {
    package var event: LumeEvent
    package let status: OutboxEventStatus
    package let place: OutboxIndex.Place

    /// Whether the event is here only because others depend on it.
    package let isHistory: Bool

    /// Whether the event's row holds a password or a token.
    package let holdsSecret: Bool

    /// Whether the V7 app wrote the event.
    ///
    /// `event.isWritten` doesn't say: an event that is read back is in the form up to V6.
    package let isWritten: Bool
  }

  /// Creates an empty table, which replaces the connection's previous table.
  ///
  /// - Parameters:
  ///   - source: The qualified name of the outbox's table, in SQL.
  ///   - connection: The connection.
  /// - Throws: A `SQLiteError` if the table can't be created.
  package init(of source: String, _ connection: borrowing Connection) throws(SQLiteError) {
    // Keys begin at 1 and rarely have gaps: the last key is about the number of rows.
    let lastKey = try connection.value("SELECT max(Z_PK) FROM \(source)")?.int64
    try connection.execute("DROP TABLE IF EXISTS temp.delivery_pending")
    try connection.execute(
      """
      CREATE TEMP TABLE delivery_pending (
        key INTEGER PRIMARY KEY, subject INTEGER, entity BLOB, created REAL, operation INTEGER,
        status INTEGER, flags INTEGER, user BLOB, backend TEXT)
      """)
    insertion = try connection.prepare(
      """
      INSERT INTO temp.delivery_pending VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      """, isPersistent: true)
    entities = EntityFilter(expectedCount: lastKey ?? 0)
  }

  /// Enters the entity of an event that no other event depends on.
  package mutating func enter(_ event: LumeEvent) {
    entities.enter(event.intent.subject, event.entity)
  }

  /// Adds an event; events are added in the order of their keys.
  package mutating func add(_ entry: Entry) throws(SQLiteError) {
    let event = entry.event
    enter(event)
    try insertion.bindInt64(entry.place.key, at: 1)
    try insertion.bindInt64(event.intent.subject.rawValue, at: 2)
    try insertion.bindBlob(event.entity.span, at: 3)
    try insertion.bindDouble(entry.place.created, at: 4)
    try insertion.bindInt64(event.intent.operation.rawValue, at: 5)
    try insertion.bindInt64(entry.status.number, at: 6)
    try insertion.bindInt64(entry.flags.rawValue, at: 7)
    try insertion.bind(event.user.map { .blob($0) } ?? .null, at: 8)
    try insertion.bind(event.backendID.map { .text($0) } ?? .null, at: 9)
    try insertion.run()
  }

  /// The query of all events, in the order of their keys.
  package static let query = "SELECT * FROM temp.delivery_pending ORDER BY key"

  /// Returns whether other events may be about the entity of the event in ``query``'s current row.
  package static func isRepeated(_ row: borrowing Statement, among entities: EntityFilter) -> Bool {
    guard let subject = OutboxSubject(rawValue: row.int64(at: 1)) else { return false }
    return row.withBytes(at: 2) { entities.mayBeRepeated(subject, $0) }
  }
}

extension OutboxEventStatus {
  /// The index among all statuses.
  fileprivate var number: Int64 {
    Int64(Self.allCases.firstIndex(of: self) ?? Self.allCases.count)
  }

  fileprivate init?(number: Int64) {
    guard let index = Int(exactly: number), Self.allCases.indices.contains(index) else {
      return nil
    }
    self = Self.allCases[index]
  }
}

extension PendingEvents.Entry {
  /// Creates the entry of a row that is read again when its outcome is decided.
  init(_ event: LumeEvent, _ status: OutboxEventStatus, _ place: OutboxIndex.Place) {
    self.init(
      event: event, status: status, place: place, isHistory: !status.isOpen, holdsSecret: false,
      isWritten: event.isWritten)
  }

  /// The Boolean values of an entry, in one column.
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

  /// Reads the current row of ``PendingEvents/query``, with an event in the form up to V6.
  ///
  /// Returns `nil` if the row has values that this type doesn't write.
  package init?(_ row: borrowing Statement) {
    guard let subject = OutboxSubject(rawValue: row.int64(at: 1)),
      let operation = OutboxIntent.Operation(rawValue: row.int64(at: 4)),
      let status = OutboxEventStatus(number: row.int64(at: 5))
    else { return nil }
    event = LumeEvent(
      OutboxIntent(subject, operation), entity: row.bytes(at: 2),
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
