import SQLite
import StoreFormat

/// Counts what would become of the open rows of an outbox in the form that the app sends.
///
/// Open are those that are still to be sent.
///
/// The outbox is read once. What the store's entities and other rows say is looked up where it can
/// matter: most entities have no event, and most of those that have one have no other. Rows that are
/// history aren't counted.
struct QueueCount: ~Copyable {
  private let program: RowProgram
  private let delivery: Delivery
  private var events: PendingEvents

  /// The query of one row of the outbox, by its key.
  private var whole: Statement
  private var counts = DeliveryCounts()

  /// What was counted; nothing where a row can't be read.
  struct Result: Sendable {
    var counts = DeliveryCounts()
    var refusal: MigrationError?
  }

  private init(
    program: RowProgram, delivery: Delivery, events: consuming PendingEvents,
    whole: consuming Statement
  ) {
    self.program = program
    self.delivery = delivery
    self.events = events
    self.whole = whole
  }

  /// Counts the rows of a store that nobody has open, through a connection of its own.
  static func result(
    _ program: RowProgram, _ delivery: Delivery, in path: String
  ) throws -> Result {
    let connection = try OpenedStore.connection(to: path, isShared: false)
    try connection.begin(.deferred)
    let result = try result(program, delivery, connection, schema: "main")
    try connection.rollback()
    return result
  }

  /// Counts the rows of a store.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows, in constant memory.
  static func result(
    _ program: RowProgram, _ delivery: Delivery, _ connection: borrowing Connection, schema: String
  ) throws -> Result {
    do {
      return Result(counts: try counts(program, delivery, connection, schema: schema))
    } catch {
      guard let refusal = error as? MigrationError, case .value = refusal else { throw error }
      return Result(refusal: refusal)
    }
  }

  private static func counts(
    _ program: RowProgram, _ delivery: Delivery, _ connection: borrowing Connection, schema: String
  ) throws -> DeliveryCounts {
    try program.prepare(connection, schema: schema)
    var count = QueueCount(
      program: program, delivery: delivery, events: try PendingEvents.make(connection),
      whole: try connection.prepare(program.query(schema: schema, key: "?1"), isPersistent: true))
    try count.read(connection, schema: schema)
    try count.decide(connection, schema: schema)
    return count.counts
  }

  /// Reads the rows that matter, and counts those that couldn't be sent whatever else is in the store.
  private mutating func read(_ connection: borrowing Connection, schema: String) throws {
    var row = try connection.prepare(
      program.query(schema: schema, where: delivery.concernsQueue(program)), isPersistent: true)
    while try row.step() {
      let isHistory = delivery.isHistory(row)
      let keys = row.withBytes(at: delivery.source.payload) {
        PayloadKeys($0, tellingSecrets: !isHistory)
      }
      switch try delivery.reading(of: row, program, keys: keys, hasFacts: false) {
      case .unsendable(let reason):
        guard !isHistory else { continue }
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
  }

  /// Counts the events, each with its entity and the others about it.
  private mutating func decide(_ connection: borrowing Connection, schema: String) throws {
    var entities = try WantedEntities(
      delivery.entities, in: events.entities, connection, schema: schema)
    var index = try index(&entities, connection)
    var row = try connection.prepare(PendingEvents.query, isPersistent: true)
    while try row.step() {
      guard let entry = try entry(row), !entry.isHistory else { continue }
      let (event, status) = (entry.event, entry.status)
      let live = try entities.entity(event.intent.subject, event.entity)
      var neighbours = OutboxNeighbours()
      if status.isOpen, events.isRepeated(row) {
        neighbours = try index.neighbours(of: entry.indexed(live), isLive: live != nil)
      }
      let outcome = OutboxOutcome(of: event, status, live: live, neighbours: neighbours)
      counts.note(outcome, status)
      if case .quarantined = outcome, entry.holdsSecret { counts.secrets += 1 }
    }
  }

  /// Enters the events that others may depend on.
  private mutating func index(
    _ entities: inout WantedEntities, _ connection: borrowing Connection
  ) throws -> OutboxIndex {
    var index = try OutboxIndex.make(connection)
    var row = try connection.prepare(PendingEvents.query, isPersistent: true)
    while try row.step() {
      guard events.isRepeated(row), let entry = try entry(row) else { continue }
      let live = try entities.entity(entry.event.intent.subject, entry.event.entity)
      let indexed = entry.indexed(live)
      if indexed.concernsOthers, !entry.isKeptOut(live) { try index.add(indexed) }
    }
    return index
  }

  /// The event in the row that a query of the events is at.
  ///
  /// What the V7 app wrote has columns of its own, which only its row in the outbox has.
  private mutating func entry(_ row: borrowing Statement) throws -> PendingEvents.Entry? {
    guard var entry = PendingEvents.Entry(row) else { return nil }
    guard entry.isWritten else { return entry }
    try whole.bindInt64(entry.place.key, at: 1)
    guard try whole.step() else { return nil }
    if case .event(let event, _) = try delivery.reading(of: whole, program, hasFacts: false) {
      entry.event = event
    }
    try whole.run()
    return entry
  }
}

extension PendingEvents.Entry {
  /// The event with whose it is: of one that deletes nobody but whom it names.
  fileprivate func indexed(_ live: LiveEntity?) -> OutboxIndex.Entry {
    let owner = status.isOpen && event.intent.deed != .delete ? live?.owner : nil
    return OutboxIndex.Entry(
      event: event, user: event.user ?? owner, isOpen: status.isOpen, place: place)
  }

  /// Returns whether it is kept out as it names another user than its entity has: nothing depends on it.
  fileprivate func isKeptOut(_ live: LiveEntity?) -> Bool {
    guard status.isOpen, event.intent.deed != .delete, let owner = live?.owner,
      let user = event.user
    else { return false }
    return user != owner
  }
}
