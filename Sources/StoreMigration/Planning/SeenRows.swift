import OutboxFormat
import SQLite
import RowRewriting
import OutboxConversion
import StoreProof

/// What a plan saw in the rows of a table, or in a part of them.
struct SeenRows: Sendable {
  var tally: Tally
  var audit: OutboxAudit?
  var examples: ExampleCollector
  var history: HistoryCount?
  var queue: QueueCount.Result?

  /// The refusal of the first row that can't be carried; the rest weren't read.
  var failure: RowError?

  /// Nothing, yet, of a table.
  init(_ reading: TableReading) {
    tally = Tally(reading.rows)
    audit = OutboxAudit(reading.rows, owner: reading.owner)
    examples = ExampleCollector(reading.rows, of: reading.program, reading.mask)
    history = reading.delivery.map { HistoryCount(reading.rows, $0) }
  }

  /// Adds what was seen in the other part of the table.
  mutating func add(_ other: SeenRows) {
    tally.add(other.tally)
    if let seen = other.audit { audit?.add(seen) }
    examples.add(other.examples)
    if let seen = other.history { history?.add(seen) }
    queue = queue ?? other.queue
    failure = .first(failure, other.failure)
  }

  /// What would become of an outbox in the form that the app sends.
  ///
  /// None of another table, nor where a row can't be read for that.
  var delivery: DeliveryCounts? {
    guard refusal == nil, var counts = history?.counts, let queue else { return nil }
    counts.add(queue.counts)
    return counts
  }

  /// The refusal of the first row that can't be read in the form that the app sends.
  ///
  /// It may well be carried as documented.
  private var refusal: RowError? { .first(history?.refusal, queue?.refusal) }

  /// What one may have to know about the rows of an outbox.
  var warnings: [PlanWarning] {
    let warnings = audit?.warnings ?? []
    guard let refusal else { return warnings }
    let message = "'--rows deliverable' isn't possible: \(refusal)"
    return [PlanWarning(code: "not-deliverable", rows: 1, message: message)] + warnings
  }
}
