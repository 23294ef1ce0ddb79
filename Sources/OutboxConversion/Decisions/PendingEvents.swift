import OutboxFormat
package import SQLite
import Migrations
import RowRewriting

/// The events of an outbox that are to be decided about, as far as others depend on them.
///
/// They stand in a temporary table, by their keys.
struct PendingEvents: ~Copyable {
  private var insertion: Statement

  /// Their entities.
  package private(set) var entities: EntityFilter

  /// An event with what isn't its own.
  package struct Entry {
    package var event: LumeEvent
    package let status: OutboxEventStatus
    package let place: OutboxIndex.Place

    /// A Boolean value indicating whether it is only there for others to depend on.
    package let isHistory: Bool

    /// A Boolean value indicating whether its row holds a password or a token.
    package let holdsSecret: Bool

    /// A Boolean value indicating whether the V7 app wrote it.
    package let isWritten: Bool
  }

  /// Makes an empty table in place of the connection's last one.
  ///
  /// - Parameters:
  ///   - source: The outbox, as it stands in SQL.
  ///   - connection: The connection.
  /// - Throws: A `SQLiteError` if the table can't be made.
  package init(of source: String, _ connection: borrowing Connection) throws(SQLiteError) {
    // Keys begin at 1, and rarely have gaps: no rows need be counted.
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

  /// Enters an event on which no other depends.
  package mutating func enter(_ event: LumeEvent) {
    entities.enter(event.intent.subject, event.entity)
  }

  /// Enters an event; events come in the order of their keys.
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

  /// Returns whether others may be about the entity of the event in the row that ``query`` is at.
  package static func isRepeated(_ row: borrowing Statement, among entities: EntityFilter) -> Bool {
    guard let subject = OutboxSubject(rawValue: row.int64(at: 1)) else { return false }
    return row.withBytes(at: 2) { entities.mayBeRepeated(subject, $0) }
  }
}

extension OutboxEventStatus {
  /// The position among all of them.
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
  /// Creates the entry of a row that is read again when it is decided about.
  init(_ event: LumeEvent, _ status: OutboxEventStatus, _ place: OutboxIndex.Place) {
    self.init(
      event: event, status: status, place: place, isHistory: !status.isOpen, holdsSecret: false,
      isWritten: event.isWritten)
  }

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
  /// `nil` if the table isn't this type's.
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
