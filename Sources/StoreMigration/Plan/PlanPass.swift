import SQLite
import StoreFormat

/// Reads rows of one table as documented, and counts what a plan says of them.
///
/// It reads with the evaluator that apply writes with. Of an outbox it counts too what
/// '--rows deliverable' would make of the rows.
struct PlanPass: ~Copyable {
  private let delivery: Delivery?
  private var evaluator: RowEvaluator
  private var audit: OutboxAudit?
  private var examples: ExampleCollector
  private var history: HistoryCount?
  private var queue: QueueCount?

  /// Prepares to read rows; of an outbox only a pass with a queue counts those that are to be sent.
  init(_ reading: PlanReading, queue: consuming QueueCount?) {
    delivery = reading.delivery
    evaluator = RowEvaluator(reading.rows)
    audit = OutboxAudit(reading.rows, owner: reading.owner)
    examples = ExampleCollector(reading.rows, of: reading.program, reading.mask)
    history = reading.delivery.map { HistoryCount(reading.rows, $0) }
    self.queue = queue
  }

  /// Reads the rows that a query of a store comes by, up to the first that can't be carried.
  consuming func seen(
    _ query: inout Statement, _ connection: borrowing Connection
  ) throws -> SeenRows {
    var failure: MigrationError?
    do {
      while try query.step() { try look(at: query) }
    } catch {
      failure = try error.asRefusal()
    }
    let result = failure == nil ? try queue?.result(connection, schema: "main") : nil
    return SeenRows(
      tally: evaluator.finish(), audit: audit, examples: examples, history: history, queue: result,
      failure: failure)
  }

  private mutating func look(at row: borrowing Statement) throws {
    guard let payload = audit?.payload else {
      try evaluator.read(row)
      return try examples.look(at: row, &evaluator)
    }
    let kind = audit?.kind(of: row)
    let isHistory = delivery?.isHistory(row, kind) == true
    let tellsSecrets = queue != nil && !isHistory
    try evaluator.read(row, notingKeysAt: payload, tellingSecrets: tellsSecrets)
    try examples.look(at: row, &evaluator)
    let keys =
      evaluator.notedKeys
      ?? row.withBytes(at: payload) { PayloadKeys($0, tellingSecrets: tellsSecrets) }
    audit?.look(at: row, kind, keys)
    if isHistory { history?.look(at: row, kind, keys) }
    try queue?.look(at: row, keys, isHistory: isHistory)
  }
}
