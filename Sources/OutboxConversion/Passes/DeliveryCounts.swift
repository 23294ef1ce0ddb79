package import OutboxCore

/// The counts of an outbox's rows by outcome, with `--rows deliverable`.
package struct DeliveryCounts: Hashable, Sendable {
  /// The rows read.
  package var rows: Int64 = 0

  /// The rows written.
  package var delivered: Int64 = 0

  /// The rows written that are history: the app doesn't send them again.
  package var completed: Int64 = 0

  /// The rows written that come from the V7 app itself, unchanged except for repairs.
  package var kept: Int64 = 0

  /// The kept rows that were repaired, so that the app sends them correctly.
  package var mended: Int64 = 0

  /// The rows that change from processing to pending, because the app would never resume them.
  package var resumed: Int64 = 0

  /// The rows in quarantine, by reason.
  package var quarantined: [QuarantineReason: Int64] = [:]

  /// The rows that another row cancels.
  package var cancelled: Int64 = 0

  /// The rows that are folded into another, which sends the same.
  package var folded: Int64 = 0

  /// The rows in quarantine that hold a password or a token.
  package var secrets: Int64 = 0

  package init() {}

  /// The number of rows in quarantine.
  package var quarantinedRows: Int64 { quarantined.values.reduce(0, +) }

  /// Whether every row is accounted for.
  package var addsUp: Bool { delivered + quarantinedRows + cancelled + folded == rows }
}

extension DeliveryCounts {
  /// Counts the outcome of a row and, if the row is written, its status.
  package mutating func note(_ outcome: OutboxOutcome, _ status: OutboxEventStatus?) {
    rows += 1
    switch outcome {
    case .delivered: noteDelivered(status)
    case .kept(let row):
      noteDelivered(status)
      kept += 1
      if row.isMended { mended += 1 }
    case .quarantined(let reason): quarantined[reason, default: 0] += 1
    case .cancelled: cancelled += 1
    case .folded: folded += 1
    }
  }

  /// Counts a row that was sent and is written.
  mutating func noteHistory() {
    rows += 1
    noteDelivered(.completed)
  }

  private mutating func noteDelivered(_ status: OutboxEventStatus?) {
    delivered += 1
    if status == .completed { completed += 1 }
    if status == .processing { resumed += 1 }
  }

  /// Adds the counts of other rows.
  package mutating func add(_ other: DeliveryCounts) {
    rows += other.rows
    delivered += other.delivered
    completed += other.completed
    kept += other.kept
    mended += other.mended
    resumed += other.resumed
    quarantined.merge(other.quarantined, uniquingKeysWith: +)
    cancelled += other.cancelled
    folded += other.folded
    secrets += other.secrets
  }
}
