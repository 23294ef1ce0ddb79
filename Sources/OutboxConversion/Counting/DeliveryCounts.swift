import Migrations
import RowRewriting
package import OutboxFormat

/// How many rows of an outbox became what, where they are written in the form which the app sends.
package struct DeliveryCounts: Hashable, Sendable {
  /// The rows read.
  package var rows: Int64 = 0

  /// Rows that are written.
  package var delivered: Int64 = 0

  /// Those of them that are history: the app doesn't send them again.
  package var completed: Int64 = 0

  /// Those of them that the V7 app itself wrote, and that are carried as they are but for what is mended.
  package var kept: Int64 = 0

  /// Those of the kept in which something was mended, so that the app sends them well.
  package var mended: Int64 = 0

  /// Rows that were being processed, which the app would never take up again, and are pending now.
  package var resumed: Int64 = 0

  /// Rows that are kept out, by the reason.
  package var quarantined: [QuarantineReason: Int64] = [:]

  /// Rows that another takes back.
  package var cancelled: Int64 = 0

  /// Rows that another sends too.
  package var folded: Int64 = 0

  /// Rows in quarantine whose payload holds a password or a token.
  package var secrets: Int64 = 0

  package init() {}

  /// The rows that are kept out.
  package var quarantinedRows: Int64 { quarantined.values.reduce(0, +) }

  /// A Boolean value indicating whether every row is accounted for.
  package var addsUp: Bool { delivered + quarantinedRows + cancelled + folded == rows }
}

extension DeliveryCounts {
  /// Counts what becomes of one row; of one that is written its status, too.
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

  /// Counts a row that was sent, and is written.
  mutating func noteHistory() {
    rows += 1
    noteDelivered(.completed)
  }

  private mutating func noteDelivered(_ status: OutboxEventStatus?) {
    delivered += 1
    if status == .completed { completed += 1 }
    if status == .processing { resumed += 1 }
  }

  /// Adds what was counted of other rows.
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
