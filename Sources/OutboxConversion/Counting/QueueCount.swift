package import OutboxFormat
package import SQLite
import StoreFormat
import Migrations
package import RowRewriting

/// Counts what would become of the rows of an outbox that aren't history, in the form that the app sends.
///
/// That are those still to be sent, those of a status that there isn't, and what the V7 app wrote. Deletes
/// that are history aren't counted, and looked at as others depend on them.
///
/// Each row is looked at once. What the store's entities and other rows say is looked up afterwards,
/// where it can matter: most entities have no event, and most of those that have one have no other.
package struct QueueCount: ~Copyable {
  private let program: RowProgram
  private let delivery: Delivery
  private var events: PendingEvents

  /// The query of one row of the outbox, by its key.
  private var whole: Statement
  private var counts = DeliveryCounts()

  /// The first row that can't be read.
  private var refusal: RowError?

  /// What was counted; nothing where a row can't be read.
  package struct Result: Sendable {
    package var counts = DeliveryCounts()
    package var refusal: RowError?
  }

  /// Prepares to count the rows of a store.
  package init(
    _ program: RowProgram, _ delivery: Delivery, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let whole = try connection.prepare(
      program.query(schema: "main", key: "?1"), isPersistent: true)
    events = try PendingEvents(of: qualified(program.sourceTable, in: "main"), connection)
    self.whole = whole
    self.program = program
    self.delivery = delivery
  }

  /// Looks at a row, and counts it if it couldn't be sent whatever else is in the store.
  ///
  /// - Parameters:
  ///   - row: The row, of ``TableReading/Part/queue``.
  ///   - keys: The keys of its payload, telling secrets where it isn't history.
  ///   - isHistory: Whether it was sent.
  /// - Throws: A `SQLiteError` if an event can't be kept.
  package mutating func look(
    at row: borrowing Statement, _ keys: PayloadKeys, isHistory: Bool
  ) throws {
    // '== nil' would copy the error for every row.
    if case .some = refusal { return }
    do { try enter(row, keys, isHistory) } catch {
      refusal = try RowError(refusalIn: error)
    }
  }

  private mutating func enter(
    _ row: borrowing Statement, _ keys: PayloadKeys, _ isHistory: Bool
  ) throws {
    switch try delivery.reading(of: row, program, keys: keys, hasFacts: false) {
    case .unsendable(let reason):
      guard !isHistory else { return }
      counts.note(.quarantined(reason), nil)
      if delivery.holdsSecret(row, keys) { counts.secrets += 1 }
    case .event(let event, let status):
      try events.add(
        PendingEvents.Entry(
          event: event, status: status, place: try delivery.place(of: row, program),
          isHistory: isHistory, holdsSecret: !isHistory && delivery.holdsSecret(row, keys),
          isWritten: event.isWritten))
    }
  }

  /// Ends the count: what would become of the rows that were looked at.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows, in constant memory.
  package consuming func result(_ connection: borrowing Connection) throws -> Result {
    guard refusal == nil else { return Result(refusal: refusal) }
    do { try decide(connection) } catch {
      return Result(refusal: try RowError(refusalIn: error))
    }
    return Result(counts: counts)
  }

  /// Counts the events, each with its entity and the others about it.
  private mutating func decide(_ connection: borrowing Connection) throws {
    let cacheSize = try connection.rememberIndexes("main", asLargeAs: "main", limit: 4_096)
    defer { connection.restore(cacheSize) }
    var decider = try OutboxDecider(
      events.entities, delivery.entities, connection, schema: "main", hasFacts: false)
    var row = try connection.prepare(PendingEvents.query, isPersistent: true)
    while try row.step() {
      guard let entry = try entry(row), !entry.isHistory else { continue }
      let outcome = try decider.outcome(of: entry, connection)
      counts.note(outcome, entry.status)
      if case .quarantined = outcome, entry.holdsSecret { counts.secrets += 1 }
    }
  }

  /// The event in the row that a query of the events is at.
  ///
  /// What the V7 app wrote has columns of its own, which only its row in the outbox has.
  private mutating func entry(_ row: borrowing Statement) throws -> PendingEvents.Entry? {
    guard var entry = PendingEvents.Entry(row) else { return nil }
    guard entry.isWritten, !entry.isHistory else { return entry }
    try whole.bindInt64(entry.place.key, at: 1)
    guard try whole.step() else { return nil }
    if case .event(let event, _) = try delivery.reading(of: whole, program, hasFacts: false) {
      entry.event = event
    }
    try whole.run()
    return entry
  }
}
