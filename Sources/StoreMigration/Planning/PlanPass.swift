import OutboxFormat
import SQLite
import Migrations
import RowRewriting
import OutboxConversion

/// Reads rows of one table for a plan with documented rows, and counts what happens to them.
///
/// The evaluator is the one that `apply` writes with. For an outbox, the pass also counts what
/// `--rows deliverable` would do with the rows.
struct PlanPass: ~Copyable {
  private let part: TableReading.Part?

  /// The columns of an outbox; `nil` for another table.
  private let source: Delivery.Source?
  private let columns: OutboxAudit.Columns?
  private var evaluator: RowEvaluator
  private var queue: QueueCount?
  private var seen: SeenRows

  /// Prepares to read the rows of a part of an outbox, or all rows of another table.
  init(_ reading: TableReading, _ part: TableReading.Part?, queue: consuming QueueCount?) {
    self.part = part
    source = reading.delivery?.source
    evaluator = RowEvaluator(reading.rows)
    self.queue = queue
    seen = SeenRows(reading)
    columns = seen.audit?.columns
  }

  /// Reads the rows of a query, up to the first one that can't be carried.
  ///
  /// Rows that formulas refuse are counted, and the others are read.
  consuming func seen(
    _ query: inout Statement, _ connection: borrowing Connection
  ) throws -> SeenRows {
    do {
      while try query.step() { try look(at: query) }
      seen.queue = try queue?.result(connection)
    } catch {
      seen.failure = try RowError(refusalIn: error)
    }
    seen.tally = evaluator.finish()
    return seen
  }

  private mutating func look(at row: borrowing Statement) throws {
    guard let columns else {
      guard try evaluator.read(row) else { return }
      return try seen.examples.look(at: row, &evaluator)
    }
    let kind = EventKind.kind(of: row, at: columns.eventType)
    let isHistory = source?.isHistory(row, kind) == true
    if let part, !part.contains(kind, isHistory: isHistory) { return }
    let (payloadClass, keys) = row.withBytes(at: columns.payload) {
      PayloadKeys.classified($0, tellingSecrets: part == .queue && !isHistory)
    }
    guard try evaluator.read(row, knowing: (columns.payload, payloadClass)) else { return }
    try seen.examples.look(at: row, &evaluator)
    seen.audit?.look(at: row, kind, keys)
    if isHistory { seen.history?.look(at: row, kind, keys) }
    try queue?.look(at: row, keys, isHistory: isHistory)
  }
}
