import RowRewriting
import OutboxConversion
import StoreProof

/// What a plan found in the rows of a table, or in a part of them.
struct SeenRows: Sendable {
  var tally: Tally
  var audit: OutboxAudit?
  var examples: ExampleCollector
  var history: HistoryCount?
  var queue: QueueCount.Result?

  /// The error for the first row that can't be carried; the rows after it weren't read.
  var failure: RowError?

  /// Creates an empty result for a table.
  init(_ reading: TableReading) {
    tally = Tally(reading.rows)
    audit = OutboxAudit(reading.rows, owner: reading.owner)
    examples = ExampleCollector(reading.rows, of: reading.program, reading.mask)
    history = reading.delivery.map { HistoryCount(reading.rows, $0) }
  }

  /// Adds what was found in the other part of the table.
  mutating func add(_ other: SeenRows) {
    tally.add(other.tally)
    if let seen = other.audit { audit?.add(seen) }
    examples.add(other.examples)
    if let seen = other.history { history?.add(seen) }
    queue = queue ?? other.queue
    failure = .first(failure, other.failure)
  }

  /// What `--rows deliverable` would do with the rows of an outbox.
  ///
  /// `nil` for any other table, or if a row can't be read in the deliverable form.
  var delivery: DeliveryCounts? {
    guard refusal == nil, var counts = history?.counts, let queue else { return nil }
    counts.add(queue.counts)
    return counts
  }

  /// The error for the first row that can't be read in the deliverable form.
  ///
  /// The same row may be fine as a documented row.
  private var refusal: RowError? { .first(history?.refusal, queue?.refusal) }

  /// The warnings about the rows of an outbox.
  var warnings: [PlanWarning] {
    let warnings = audit?.warnings ?? []
    guard let refusal else { return warnings }
    let message = "'--rows deliverable' isn't possible: \(refusal)"
    return [PlanWarning(code: "not-deliverable", rows: 1, message: message)] + warnings
  }
}
