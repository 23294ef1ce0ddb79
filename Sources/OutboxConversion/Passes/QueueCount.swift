package import OutboxFormat
package import SQLite
package import RowRewriting

/// Counts the outcomes of an outbox's rows that aren't history, with `--rows deliverable`.
///
/// These are open rows, rows of unknown status, and rows that the V7 app wrote. Deletes that are
/// history aren't counted, but read, because other rows depend on them.
///
/// Each row is read once. Its entity and the other rows are looked up afterwards, only where they
/// can matter: most entities have no event, and most of the others have only one.
package struct QueueCount: ~Copyable {
  private let program: RowProgram
  private let delivery: Delivery
  private var events: PendingEvents

  /// The query of one row of the outbox, by its key.
  private var whole: Statement
  private var counts = DeliveryCounts()

  /// The first row that can't be read.
  private var refusal: RowError?

  /// The counts, or the first row that can't be read.
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

  /// Reads a row, and counts it if the app can't send it, whatever else is in the store.
  ///
  /// - Parameters:
  ///   - row: A row that isn't history, or a delete.
  ///   - keys: The keys of the row's payload, read with secrets if the row isn't history.
  ///   - isHistory: Whether the row is history.
  /// - Throws: A `SQLiteError` if an event can't be stored.
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
      if delivery.holdsSecret(row, reason, keys) { counts.secrets += 1 }
    case .event(let event, let status):
      try events.add(
        PendingEvents.Entry(
          event: event, status: status, place: try delivery.place(of: row, program),
          isHistory: isHistory, holdsSecret: !isHistory && delivery.holdsSecret(row, nil, keys),
          isWritten: event.isWritten))
    }
  }

  /// Decides the outcomes of the rows that were read, and returns the counts.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows, in constant memory.
  package consuming func result(_ connection: borrowing Connection) throws -> Result {
    guard refusal == nil else { return Result(refusal: refusal) }
    do { try decide(connection) } catch {
      return Result(refusal: try RowError(refusalIn: error))
    }
    return Result(counts: counts)
  }

  /// Decides and counts the events by their entities and the other events about them.
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

  /// Returns the event in the current row of ``PendingEvents/query``.
  ///
  /// An event that the V7 app wrote is read from the outbox, because only its row there has all
  /// columns.
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
