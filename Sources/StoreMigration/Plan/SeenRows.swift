import SQLite

/// What a plan saw in the rows of a table, or in a part of them.
struct SeenRows: Sendable {
  private(set) var tally: Tally
  private var audit: OutboxAudit?
  private var collector: ExampleCollector
  private var history: HistoryCount?
  private var queue: QueueCount.Result?

  /// The refusal of the first row that can't be carried; the rest weren't read.
  private(set) var failure: MigrationError?

  init(
    tally: Tally, audit: OutboxAudit?, examples: ExampleCollector, history: HistoryCount?,
    queue: QueueCount.Result?, failure: MigrationError?
  ) {
    self.tally = tally
    self.audit = audit
    collector = examples
    self.history = history
    self.queue = queue
    self.failure = failure
  }

  /// Adds what was seen in another part of the table.
  mutating func add(_ other: SeenRows) {
    tally.add(other.tally)
    if let seen = other.audit { audit?.add(seen) }
    collector.add(other.collector)
    if let seen = other.history { history?.add(seen) }
    queue = queue ?? other.queue
    failure = [failure, other.failure].firstRefusal
  }

  var examples: [PlanExample] { collector.examples }

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
  private var refusal: MigrationError? { [history?.refusal, queue?.refusal].firstRefusal }

  /// What one may have to know about the rows of an outbox.
  var warnings: [PlanWarning] {
    var warnings = audit?.warnings ?? []
    if let refusal {
      warnings.insert(
        PlanWarning(
          code: "not-deliverable", rows: 1,
          message: "'--rows deliverable' would refuse: \(refusal)"), at: 0)
    }
    return warnings
  }
}

extension [MigrationError?] {
  /// The refusal of the row with the least key.
  var firstRefusal: MigrationError? {
    compactMap(\.self).min { $0.rowKey < $1.rowKey }
  }
}

extension MigrationError {
  /// The key of the row with a value that can't be read.
  fileprivate var rowKey: Int64 { if case .value(_, let key, _, _) = self { key } else { .max } }
}

extension Error {
  /// The refusal of a row's value; any other error is thrown.
  func asRefusal() throws -> MigrationError {
    guard let refusal = self as? MigrationError, case .value = refusal else { throw self }
    return refusal
  }
}
