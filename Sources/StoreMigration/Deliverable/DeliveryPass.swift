import JSONText
import SQLite
import StoreFormat
import StoreModel

/// Decides what becomes of each row of an outbox that the app is to deliver.
///
/// Rows are read twice: those that others depend on to enter them into an ``OutboxIndex``, then all in
/// order.
struct DeliveryPass: ~Copyable {
  let program: RowProgram
  let delivery: Delivery
  private var index: OutboxIndex
  private var entities: EntityLookup
  private var evaluator: RowEvaluator
  private(set) var counts = DeliveryCounts()

  /// The rows that a pass is for.
  enum Scope: Hashable, Sendable {
    case all

    /// Rows that were sent: how they are counted depends on no other row and no entity.
    case history

    /// Rows that are still to be sent.
    case open
  }

  /// How many rows need an owner that nothing names.
  private(set) var ownerless: Int64 = 0

  /// Makes what decisions depend on.
  ///
  /// - Parameters:
  ///   - program: The program of the outbox's table.
  ///   - delivery: Its delivery.
  ///   - connection: The connection.
  ///   - schema: The name under which the source is open.
  ///   - scope: The rows that will be put to it.
  ///   - entities: The tables of entities, and the name under which they are open, where they aren't the
  ///     source's.
  /// - Throws: A `SQLiteError` if something can't be read.
  init(
    _ program: RowProgram, _ delivery: Delivery, _ connection: borrowing Connection,
    schema: String, scope: Scope = .all,
    entities: (tables: [EntityTable], schema: String)? = nil
  ) throws {
    let isHistory = scope == .history
    let index: OutboxIndex
    if isHistory {
      index = try OutboxIndex.make(connection)
    } else {
      index = try Self.index(program, delivery, connection, schema: schema)
    }
    let entities = try EntityLookup(
      isHistory ? [] : entities?.tables ?? delivery.entities, connection,
      schema: entities?.schema ?? schema)
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

  private static func index(
    _ program: RowProgram, _ delivery: Delivery, _ connection: borrowing Connection,
    schema: String
  ) throws -> OutboxIndex {
    try program.prepare(connection, schema: schema)
    var index = try OutboxIndex.make(connection)
    var row = try connection.prepare(
      program.query(schema: schema, where: Self.isIndexed(program, delivery)))
    while try row.step() {
      guard let intent = OutboxIntent(eventType: row.string(at: delivery.source.eventType) ?? ""),
        let status = OutboxStatus(rawValue: row.string(at: delivery.source.status) ?? ""),
        let entity = Self.entity(row, delivery, intent)
      else { continue }
      try index.add(intent, entity: entity, isOpen: status.isOpen, at: Self.place(row, delivery))
    }
    return index
  }

  /// What no other row depends on needn't be indexed, nor its payload be read: creates and updates that
  /// are sent.
  private static func isIndexed(_ program: RowProgram, _ delivery: Delivery) -> String {
    let deletes = OutboxIntent.eventTypes(.delete).map { "'\($0)'" }.joined(separator: ", ")
    let type = program.expression(ofColumn: delivery.source.eventType)
    return "(\(isOpen(program, delivery)) OR \(type) IN (\(deletes)))"
  }

  /// What holds of rows that are still to be sent, in SQL.
  static func isOpen(_ program: RowProgram, _ delivery: Delivery) -> String {
    let status = program.expression(ofColumn: delivery.source.status)
    return "\(status) IS NOT '\(OutboxStatus.completed.rawValue)'"
  }

  /// A Boolean value indicating whether a row is still to be sent, as ``isOpen(_:_:)`` tells it.
  func isOpen(_ row: borrowing Statement) -> Bool {
    !row.holds(at: delivery.source.status, .text(Self.completed))
  }

  private static let completed = Array(OutboxStatus.completed.rawValue.utf8)

  /// What a payload says; its keys may be known already.
  private static func payload(
    _ row: borrowing Statement, _ delivery: Delivery, _ intent: OutboxIntent, _ keys: PayloadKeys?
  ) -> OutboxPayload? {
    row.withBytes(at: delivery.source.payload) { text in
      keys.map { OutboxPayload(text, $0, for: intent) } ?? OutboxPayload(text, for: intent)
    }
  }

  /// The entity that a payload names, where the payload can be read.
  private static func entity(
    _ row: borrowing Statement, _ delivery: Delivery, _ intent: OutboxIntent
  ) -> [UInt8]? {
    row.withBytes(at: delivery.source.payload) { text in
      guard isJSONText(text) else { return nil }
      let keys = PayloadKeys(text)
      return OutboxPayload.certainEntity(text, keys, for: intent)
        ?? OutboxPayload(text, keys, for: intent)?.entity
    }
  }

  private static func place(
    _ row: borrowing Statement, _ delivery: Delivery
  ) -> OutboxIndex.Place {
    OutboxIndex.Place(
      created: row.double(at: delivery.source.createdAt), key: row.int64(at: 0))
  }

  /// Counts what becomes of a row, the keys of whose payload are known, without making it.
  ///
  /// History that is certain to be readable is written whatever else is in the outbox; about any other
  /// row it is decided.
  mutating func count(_ row: borrowing Statement, _ keys: PayloadKeys) throws {
    let type = row.string(at: delivery.source.eventType) ?? ""
    guard !isOpen(row), let intent = OutboxIntent(eventType: type),
      row.withBytes(
        at: delivery.source.payload, { OutboxPayload.isCertainlyReadable($0, keys, for: intent) })
    else {
      _ = try outcome(of: row, keys)
      return
    }
    counts.rows += 1
    counts.delivered += 1
    counts.completed += 1
  }

  /// Decides what becomes of a row, and counts it.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - keys: The keys of its payload, if they are known already.
  /// - Returns: What becomes of it.
  /// - Throws: An error if the row is of no entity of its table, or can't be read.
  mutating func outcome(
    of row: borrowing Statement, _ keys: PayloadKeys? = nil
  ) throws -> OutboxOutcome {
    try evaluator.begin(row)
    let outcome = try decided(row, keys)
    try count(outcome, row)
    return outcome
  }

  private mutating func decided(
    _ row: borrowing Statement, _ keys: PayloadKeys?
  ) throws -> OutboxOutcome {
    let source = delivery.source
    let type = row.string(at: source.eventType) ?? ""
    let status = row.string(at: source.status) ?? ""
    if let kept = try keptStatus(row, type: type, status: status) { return .kept(status: kept) }
    guard let intent = OutboxIntent(eventType: type),
      let payload = Self.payload(row, delivery, intent, keys)
    else {
      return OutboxOutcome(
        of: OutboxRow(key: row.int64(at: 0), eventType: type, status: status, payload: nil),
        live: nil, neighbours: OutboxNeighbours())
    }
    let live = try entities.entity(intent.subject, payload.entity)
    let neighbours = try index.neighbours(
      of: intent, entity: payload.entity, at: Self.place(row, delivery))
    return OutboxOutcome(
      of: OutboxRow(key: row.int64(at: 0), eventType: type, status: status, payload: payload),
      live: live, neighbours: neighbours)
  }

  /// The status of a row that the V7 app wrote; none for any other.
  ///
  /// Only an edition that has V7's columns beside the payload can have such rows: they name an entity,
  /// where all others name themselves.
  private mutating func keptStatus(
    _ row: borrowing Statement, type: String, status: String
  ) throws -> String? {
    guard OutboxSubject(eventType: type) != nil, let status = OutboxStatus(rawValue: status),
      try evaluator.evaluate(program.cells[delivery.target.entityID], row)
        != row.value(at: delivery.source.id)
    else { return nil }
    return status.delivered.rawValue
  }

  private mutating func count(_ outcome: OutboxOutcome, _ row: borrowing Statement) throws {
    counts.rows += 1
    switch outcome {
    case .delivered, .kept:
      counts.delivered += 1
      if case .kept = outcome { counts.kept += 1 }
      let status = row.string(at: delivery.source.status)
      if status == OutboxStatus.completed.rawValue { counts.completed += 1 }
      if status == OutboxStatus.processing.rawValue { counts.resumed += 1 }
      if try value(of: delivery.target.userID, outcome, row).isNull { ownerless += 1 }
    case .quarantined(let reason):
      counts.quarantined[reason, default: 0] += 1
      let isSecret = row.withBytes(at: delivery.source.payload) { $0.namesSecret }
      if isSecret { counts.secrets += 1 }
    case .cancelled: counts.cancelled += 1
    case .folded: counts.folded += 1
    }
  }

  /// The value of one column of the target, of a row that is written.
  mutating func value(
    of place: Int, _ outcome: OutboxOutcome, _ row: borrowing Statement
  ) throws -> Value {
    switch outcome {
    case .delivered(let written) where delivery.target.places.contains(place):
      if let value = written.value(at: place, delivery.target) { return value }
    case .kept(let status) where place == delivery.target.status: return .text(status)
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

extension Span<UInt8> {
  /// A Boolean value indicating whether a key of a JSON text says that its value is a secret.
  var namesSecret: Bool {
    guard isJSONText(self) else { return false }
    var isSecret = false
    visitJSONKeys(of: self) { key in
      if !isSecret { isSecret = SecretNames.occur(in: extracting(key.name)) }
    }
    return isSecret
  }
}
