import OutboxCore
import OutboxFormat
import SQLite

/// Decides the outcomes of an outbox's rows, with `--rows deliverable`.
///
/// A row's outcome can depend on later rows. Plan and apply therefore enter all rows into
/// ``PendingEvents`` first, and then ask for the outcome of each.
struct OutboxDecider: ~Copyable {
  private let events: EntityFilter
  private let entities: EntityFinder
  private var index: OutboxIndex

  /// Prepares to decide the outcomes of the events that were entered.
  ///
  /// - Parameters:
  ///   - events: The entities of all events to decide about.
  ///   - tables: The tables of the entities.
  ///   - connection: The connection on which the events were entered.
  ///   - schema: The name under which the store of the entities is open.
  ///   - hasFacts: Whether rows are written, which needs the facts of the entities.
  /// - Throws: A `SQLiteError` if something can't be read.
  /// - Complexity: O(*n* log *n*) in the number of events, in constant memory.
  package init(
    _ events: EntityFilter, _ tables: [OutboxEventType: EntityTable],
    _ connection: borrowing Connection, schema: String, hasFacts: Bool
  ) throws(SQLiteError) {
    let entities = EntityFinder(tables, schema: schema, in: events, hasFacts: hasFacts)
    try entities.prepare(connection)
    index = try Self.index(events, entities, connection)
    self.events = events
    self.entities = entities
  }

  /// Returns an index of the events that others may depend on.
  private static func index(
    _ events: EntityFilter, _ entities: EntityFinder, _ connection: borrowing Connection
  ) throws(SQLiteError) -> OutboxIndex {
    var index = try OutboxIndex.make(connection)
    var row = try connection.prepare(PendingEvents.query, isPersistent: true)
    while try row.step() {
      // Most entities have only one event. Then neither the event nor the entity has to be read.
      guard PendingEvents.isRepeated(row, among: events), let entry = PendingEvents.Entry(row)
      else { continue }
      let event = entry.event
      let live = try entities.entityWithoutFacts(
        event.intent.subject.eventType, event.entity.span, connection)
      // This row goes to the quarantine, and nothing can depend on it.
      if entry.namesOtherOwner(live) { continue }
      let indexed = OutboxIndex.Entry(entry, live)
      if indexed.concernsOthers { try index.add(indexed) }
    }
    return index
  }

  /// Decides the outcome of an event that was entered.
  package mutating func outcome(
    of entry: PendingEvents.Entry, _ connection: borrowing Connection
  ) throws(SQLiteError) -> OutboxOutcome {
    let (event, status) = (entry.event, entry.status)
    let subject = event.intent.subject
    let live = try entities.entity(subject.eventType, event.entity.span, connection)
    var neighbours = OutboxNeighbours()
    if status.isOpen, events.mayBeRepeated(subject, event.entity.span) {
      neighbours = try index.neighbours(
        of: OutboxIndex.Entry(entry, live), isLive: live != nil)
    }
    return OutboxOutcome(of: event, status, live: live, neighbours: neighbours)
  }
}

extension OutboxIndex.Entry {
  /// Creates the event with its user; a delete has only the user that it names.
  fileprivate init(_ entry: PendingEvents.Entry, _ live: LiveEntity?) {
    let event = entry.event
    let mayHaveOwner = entry.status.isOpen && event.intent.operation != .delete
    self.init(
      event: event, user: event.user ?? (mayHaveOwner ? live?.owner : nil),
      isOpen: entry.status.isOpen, isWritten: entry.isWritten, place: entry.place)
  }
}

extension PendingEvents.Entry {
  /// Returns whether the event names a user other than the entity's owner: it is quarantined.
  fileprivate func namesOtherOwner(_ live: LiveEntity?) -> Bool {
    guard status.isOpen, event.intent.operation != .delete, let owner = live?.owner,
      let user = event.user
    else { return false }
    return user != owner
  }
}
