import StoreMigration
package import Migrations
package import RowRewriting

/// What every face of a plan says of the whole of it.
extension Plan {
  /// The steps that can't be taken back without the snapshot.
  var oneWayCount: Int { steps.count { !$0.isReversible } }

  /// `7 steps, 7 reversible, 0 one-way`.
  var stepSummary: String {
    "\(steps.count.counted("step")), \(steps.count - oneWayCount) reversible, "
      + "\(oneWayCount) one-way"
  }

  /// The rows that have no place in the target: those of entities that go.
  var lostRows: Int64 { losses.filter(\.isOfRows).reduce(0) { $0 + $1.rows } }

  /// The values of properties that have no place in the target.
  var lostValues: Int64 { losses.filter { !$0.isOfRows }.reduce(0) { $0 + $1.rows } }

  /// What takes the plan back.
  var reversibility: String { isReversible ? "yes" : "only by the snapshot" }
}

extension Plan {
  /// How the outbox is written, where that is as the app sends it, and what becomes of its rows.
  var outbox: (title: String, parts: [DeliveryCounts.Part])? {
    guard rows == .deliverable, let delivery, delivery.rows > 0 else { return nil }
    return ("Outbox, as the app sends it", delivery.parts)
  }
}

extension PlannedLoss {
  /// A Boolean value indicating whether an entity goes, and not a property.
  var isOfRows: Bool { !object.contains(".") }

  /// How much is lost: rows of an entity, or values of a property.
  var amount: String { rows.counted(isOfRows ? "row" : "value") }
}

extension PlannedStep {
  /// What the step does, in words.
  var deed: String {
    let what = verb == "rename" ? "rename, no value changes" : verb
    return isReversible ? what : what + ", one-way"
  }

  /// `+`, `-` or `~`.
  var sign: String {
    switch verb {
    case "add": "+"
    case "drop": "-"
    default: "~"
    }
  }
}

extension PlanWarning {
  /// The event types, those with the most rows first.
  var rankedTypes: [(name: String, rows: Int64)] {
    eventTypes.sorted {
      $0.value != $1.value
        ? $0.value > $1.value : $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
    .map { (name: $0.key, rows: $0.value) }
  }
}
