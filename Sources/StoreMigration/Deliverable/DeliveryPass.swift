import JSONText
import SQLite
import StoreFormat
import Migrations
import RowRewriting

/// Decides what becomes of each row of an outbox that the app is to deliver.
///
/// The rows are read twice: once to enter them into an ``OutboxIndex``, and once in order.
struct DeliveryPass: ~Copyable {
  let program: RowProgram
  let delivery: Delivery
  private var index: OutboxIndex
  private var entities: EntityLookup
  private var evaluator: RowEvaluator
  private(set) var counts = DeliveryCounts()

  /// How many rows need an owner that nothing names.
  private(set) var ownerless: Int64 = 0

  /// Makes what decisions depend on.
  ///
  /// - Parameters:
  ///   - program: The program of the outbox's table.
  ///   - delivery: Its delivery.
  ///   - connection: The connection.
  ///   - schema: The name under which the source is open.
  ///   - entities: The tables of entities, and the name under which they are open, where they aren't the
  ///     source's.
  /// - Throws: A `SQLiteError` if something can't be read.
  init(
    _ program: RowProgram, _ delivery: Delivery, _ connection: borrowing Connection,
    schema: String, entities: (tables: [EntityTable], schema: String)? = nil
  ) throws {
    var entities = try EntityLookup(
      entities?.tables ?? delivery.entities, connection, schema: entities?.schema ?? schema)
    let index = try Self.index(program, delivery, &entities, connection, schema: schema)
    self.init(
      program: program, delivery: delivery, index: index, entities: entities,
      evaluator: RowEvaluator(program))
  }

  private init(
    program: RowProgram, delivery: Delivery, index: consuming OutboxIndex,
    entities: consuming EntityLookup, evaluator: consuming RowEvaluator
  ) {
    self.program = program
    self.delivery = delivery
    self.index = index
    self.entities = entities
    self.evaluator = evaluator
  }

  /// Enters the rows that others may be cancelled with, or folded into.
  private static func index(
    _ program: RowProgram, _ delivery: Delivery, _ entities: inout EntityLookup,
    _ connection: borrowing Connection, schema: String
  ) throws -> OutboxIndex {
    try program.prepare(connection, schema: schema)
    var index = try OutboxIndex.make(connection)
    var row = try connection.prepare(program.query(schema: schema))
    while try row.step() {
      guard
        case .event(let event, let status) = try delivery.reading(
          of: row, program, hasFacts: false)
      else { continue }
      let place = try delivery.place(of: row, program)
      let mayHaveOwner = status.isOpen && event.intent.deed != .delete
      let owner =
        mayHaveOwner ? try entities.owner(event.intent.subject, event.entity) : nil
      // It is kept out, and nothing can depend on it.
      if let owner, let user = event.user, user != owner { continue }
      let entry = OutboxIndex.Entry(
        event: event, user: event.user ?? owner, isOpen: status.isOpen, place: place)
      if entry.concernsOthers { try index.add(entry) }
    }
    return index
  }

  /// Decides what becomes of a row, and counts it.
  mutating func outcome(of row: borrowing Statement) throws -> OutboxOutcome {
    try evaluator.begin(row)
    let outcome = try decided(row)
    try count(outcome, row)
    return outcome
  }

  private mutating func decided(_ row: borrowing Statement) throws -> OutboxOutcome {
    switch try delivery.reading(of: row, program) {
    case .unsendable(let reason): return .quarantined(reason)
    case .event(let event, let status):
      let live = try entities.entity(event.intent.subject, event.entity)
      var neighbours = OutboxNeighbours()
      if status.isOpen {
        let owner = event.intent.deed == .delete ? nil : live?.owner
        let entry = OutboxIndex.Entry(
          event: event, user: event.user ?? owner, isOpen: true,
          place: try delivery.place(of: row, program))
        neighbours = try index.neighbours(of: entry, isLive: live != nil)
      }
      return OutboxOutcome(of: event, status, live: live, neighbours: neighbours)
    }
  }

  private mutating func count(_ outcome: OutboxOutcome, _ row: borrowing Statement) throws {
    switch outcome {
    case .delivered, .kept:
      let status = OutboxStatus(rawValue: row.string(at: delivery.source.status) ?? "")
      counts.note(outcome, status)
      if try value(of: delivery.target.userID, outcome, row).isNull { ownerless += 1 }
    case .quarantined:
      counts.note(outcome, nil)
      if delivery.holdsSecret(row) { counts.secrets += 1 }
    case .cancelled, .folded: counts.note(outcome, nil)
    }
  }

  /// The value of one column of the target, of a row that is written.
  mutating func value(
    of place: Int, _ outcome: OutboxOutcome, _ row: borrowing Statement
  ) throws -> Value {
    switch outcome {
    case .delivered(let written) where delivery.target.places.contains(place):
      if let value = written.value(at: place, delivery.target) { return value }
    case .kept(let kept) where delivery.target.places.contains(place):
      if let value = kept.value(at: place, delivery.target) { return value }
      // An owner that is missing is asked for; all else is as the app wrote it.
      if place != delivery.target.userID, let column = program.ownColumn(of: place) {
        return row.value(at: column)
      }
    default: break
    }
    return try documentedValue(of: place, row)
  }

  /// The value of one column of the target, of a row that is written as documented.
  mutating func documentedValue(of place: Int, _ row: borrowing Statement) throws -> Value {
    try evaluator.evaluate(program.cells[place], row)
  }
}

extension DeliverableRow {
  /// The value of a column; none where the documented one stands.
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
  /// The value of a column; none where the row's own stands.
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

extension Delivery {
  /// Returns whether a row holds a password or a token.
  func holdsSecret(_ row: borrowing Statement) -> Bool {
    row.withBytes(at: source.payload) { $0.namesSecret } || metadataNamesSecret(row)
  }

  /// Returns whether a row whose payload's keys tell secrets holds a password or a token.
  func holdsSecret(_ row: borrowing Statement, _ keys: PayloadKeys) -> Bool {
    keys.namesSecret || metadataNamesSecret(row)
  }

  private func metadataNamesSecret(_ row: borrowing Statement) -> Bool {
    written.map { columns in row.withBytes(at: columns.metadata) { $0.namesSecret } } == true
  }
}

extension Span<UInt8> {
  /// A Boolean value indicating whether a key of a JSON text says that its value is a secret.
  var namesSecret: Bool {
    var isSecret = false
    let kind = PayloadClass(of: self) { key in
      if !isSecret, SecretNames.occur(in: key, of: self) { isSecret = true }
    }
    return isSecret && kind.isJSON
  }
}

extension SecretNames {
  /// Returns whether one of the words occurs in a key, however it is spelt.
  static func occur(in key: JSONKey, of text: Span<UInt8>) -> Bool {
    guard key.hasEscapes, let name = text.name(of: key) else {
      return occur(in: text.extracting(key.name))
    }
    return occur(in: name)
  }
}
