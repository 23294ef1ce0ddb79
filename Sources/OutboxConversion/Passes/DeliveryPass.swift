import JSONText
package import OutboxCore
package import OutboxFormat
package import SQLite
package import RowRewriting

/// Decides the outcome of each row of an outbox, with `--rows deliverable`.
///
/// It reads the rows twice: first to enter them into ``PendingEvents``, then to decide about them
/// in order.
package struct DeliveryPass: ~Copyable {
  package let program: RowProgram
  package let delivery: Delivery
  private let hasFacts: Bool
  private var decider: OutboxDecider
  private var evaluator: RowEvaluator
  package private(set) var counts = DeliveryCounts()

  /// The number of rows written whose owner is missing, because nothing names it.
  package private(set) var ownerless: Int64 = 0

  /// Enters the rows, and prepares to decide their outcomes.
  ///
  /// - Parameters:
  ///   - program: The program of the outbox's table.
  ///   - delivery: The table's delivery.
  ///   - connection: The connection.
  ///   - schema: The name under which the source is open.
  ///   - entities: The tables of the entities, and the name under which they are open; `nil` for
  ///     the source's tables.
  ///   - hasFacts: Whether the rows are written; `false` if they are only counted.
  /// - Throws: A `SQLiteError` if something can't be read.
  package init(
    _ program: RowProgram, _ delivery: Delivery, _ connection: borrowing Connection,
    schema: String, entities: (tables: [OutboxEventType: EntityTable], schema: String)? = nil,
    hasFacts: Bool = true
  ) throws {
    let events = try Self.events(program, delivery, connection, schema: schema)
    decider = try OutboxDecider(
      events, entities?.tables ?? delivery.entities, connection,
      schema: entities?.schema ?? schema, hasFacts: hasFacts)
    self.program = program
    self.delivery = delivery
    self.hasFacts = hasFacts
    evaluator = RowEvaluator(program)
  }

  /// Enters the rows; open rows and deletes in full, because other rows can depend on them.
  private static func events(
    _ program: RowProgram, _ delivery: Delivery, _ connection: borrowing Connection, schema: String
  ) throws -> EntityFilter {
    try program.prepare(connection, schema: schema)
    var events = try PendingEvents(of: qualified(program.sourceTable, in: schema), connection)
    var row = try connection.prepare(program.query(schema: schema))
    while try row.step() {
      guard
        case .event(let event, let status) = try delivery.reading(
          of: row, program, hasFacts: false)
      else { continue }
      if status.isOpen || event.intent.operation == .delete {
        try events.add(
          PendingEvents.Entry(event, status, try delivery.place(of: row, program)))
      } else {
        _ = try delivery.place(of: row, program)
        events.enter(event)
      }
    }
    return events.entities
  }

  /// Decides the outcome of a row, and counts it.
  package mutating func outcome(
    of row: borrowing Statement, _ connection: borrowing Connection
  ) throws -> OutboxOutcome {
    try evaluator.begin(row)
    let outcome = try decided(row, connection)
    try count(outcome, row)
    return outcome
  }

  private mutating func decided(
    _ row: borrowing Statement, _ connection: borrowing Connection
  ) throws -> OutboxOutcome {
    switch try delivery.reading(of: row, program, hasFacts: hasFacts) {
    case .unsendable(let reason): return .quarantined(reason)
    case .event(let event, let status):
      let place = try delivery.place(of: row, program)
      return try decider.outcome(of: PendingEvents.Entry(event, status, place), connection)
    }
  }

  private mutating func count(_ outcome: OutboxOutcome, _ row: borrowing Statement) throws {
    switch outcome {
    case .delivered, .kept:
      let status = OutboxEventStatus(rawValue: row.string(at: delivery.source.status) ?? "")
      counts.note(outcome, status)
      // Asking for the text of an owner that is known would make it twice.
      if case .delivered(let written) = outcome, written.hasUser { return }
      if try value(of: delivery.target.userID, outcome, row).isNull { ownerless += 1 }
    case .quarantined(let reason):
      counts.note(outcome, nil)
      if delivery.holdsSecret(row, reason) { counts.secrets += 1 }
    case .cancelled, .folded: counts.note(outcome, nil)
    }
  }

  /// Returns the value of a target's column for a row that is written.
  package mutating func value(
    of place: Int, _ outcome: OutboxOutcome, _ row: borrowing Statement
  ) throws -> Value {
    switch outcome {
    case .delivered(let written) where delivery.target.places.contains(place):
      if let value = written.value(at: place, delivery.target) { return value }
    case .kept(let kept) where delivery.target.places.contains(place):
      if let value = kept.value(at: place, delivery.target) { return value }
      // The app's values stay, but a missing owner is filled in or asked for, as documented.
      if place != delivery.target.userID, let column = program.ownColumn(of: place) {
        return row.value(at: column)
      }
    default: break
    }
    return try documentedValue(of: place, row)
  }

  /// Returns the value of a target's column for a row that is written as documented.
  package mutating func documentedValue(of place: Int, _ row: borrowing Statement) throws -> Value {
    try evaluator.evaluate(program.cells[place], row)
  }
}

extension DeliverableRow {
  /// Returns the value of a column; `nil` if the documented value applies.
  fileprivate func value(at place: Int, _ target: Delivery.Target) -> Value? {
    switch place {
    case target.eventType: .text(eventType)
    case target.entityID: .blob(entity)
    case target.userID: user.map { .text($0) }
    case target.status: .text(status)
    case target.metadata: metadata.map { .text($0) } ?? .null
    case target.priority: .integer(priority)
    case target.isNewRecord: .integer(isNewRecord ? 1 : 0)
    default: nil
    }
  }
}

extension KeptRow {
  /// Returns the value of a column; `nil` if the row keeps its own value.
  fileprivate func value(at place: Int, _ target: Delivery.Target) -> Value? {
    switch place {
    case target.status: .text(status)
    case target.userID: user.map { .text($0) }
    case target.isNewRecord: isNewRecord.map { .integer($0 ? 1 : 0) }
    case target.metadata: metadata.map { .text($0) }
    default: nil
    }
  }
}

// A row holds a password or a token if a key of its payload or metadata names one, or if the row is
// about an account and its payload has no keys to go by.
extension Delivery {
  /// Returns whether a row holds a password or a token.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - reason: Why it is in quarantine; `nil` if that isn't known yet, and not its event type.
  ///   - keys: The keys of its payload, read with secrets; `nil` if they weren't read.
  /// - Returns: Whether it does.
  package func holdsSecret(
    _ row: borrowing Statement, _ reason: QuarantineReason?, _ keys: PayloadKeys? = nil
  ) -> Bool {
    (keys?.namesSecret ?? row.withBytes(at: source.payload) { $0.namesSecret })
      || metadataNamesSecret(row)
      || reason == .account && row.withBytes(at: source.payload) { $0.isOpaque }
  }

  private func metadataNamesSecret(_ row: borrowing Statement) -> Bool {
    written.map { columns in row.withBytes(at: columns.metadata) { $0.namesSecret } } == true
  }
}

extension QuarantinedRow {
  /// Whether the row holds a password or a token.
  package var holdsSecret: Bool {
    let texts = ["ZPAYLOAD", "ZMETADATA"].compactMap { value(of: $0)?.bytes }
    let payload = value(of: "ZPAYLOAD")?.bytes ?? []
    return texts.contains { $0.span.namesSecret } || reason == .account && payload.span.isOpaque
  }
}

extension Span<UInt8> {
  /// Whether a payload has content, but no keys that could name a secret.
  fileprivate var isOpaque: Bool { !isEmpty && !isJSONText(self) }
}
