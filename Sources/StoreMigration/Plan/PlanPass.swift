import SQLite
import StoreFormat

/// Reads rows of one table as documented, and counts what a plan says of them.
///
/// It reads with the evaluator that apply writes with. Of an outbox it counts too what
/// '--rows deliverable' would make of the rows.
struct PlanPass: ~Copyable {
  private let part: PlanReading.Part?

  /// The columns of an outbox.
  private let source: Delivery.Source?
  private var evaluator: RowEvaluator
  private var audit: OutboxAudit?
  private var examples: ExampleCollector
  private var history: HistoryCount?
  private var queue: QueueCount?

  /// Prepares to read the rows of a part of an outbox, or all rows of another table.
  init(_ reading: PlanReading, _ part: PlanReading.Part?, queue: consuming QueueCount?) {
    self.part = part
    source = reading.delivery?.source
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
    if part == .rest, kind?.concernsOthers == true { return }
    let isHistory = source?.isHistory(row, kind) == true
    let keys = try evaluator.read(
      row, notingKeysAt: payload, tellingSecrets: part == .queue && !isHistory)
    try examples.look(at: row, &evaluator)
    audit?.look(at: row, kind, keys)
    if isHistory { history?.look(at: row, kind, keys) }
    try queue?.look(at: row, keys, isHistory: isHistory)
  }
}
