import SafeText
import Migrations
package import StoreMigration
import OutboxConversion

/// The totals that every output format of a plan shows.
extension Plan {
  /// The number of steps that can't be reversed without the snapshot.
  var oneWayCount: Int { steps.count { !$0.isReversible } }

  /// `7 steps, 7 reversible, 0 one-way`.
  var stepSummary: String {
    "\(steps.count.counted("step")), \(steps.count - oneWayCount) reversible, "
      + "\(oneWayCount) one-way"
  }

  /// The number of rows without a place in the target: those of dropped entities.
  var lostRows: Int64 { losses.filter(\.isOfRows).reduce(0) { $0 + $1.rows } }

  /// The number of property values that can't be restored from the target.
  var lostValues: Int64 { losses.filter { !$0.isOfRows }.reduce(0) { $0 + $1.rows } }

  /// The number of outbox rows that aren't written in the form that the app sends.
  var keptOutRows: Int64 {
    rows == .deliverable ? delivery.map { $0.rows - $0.delivered } ?? 0 : 0
  }

  /// These rows as a part of a sentence; empty if there are none.
  var keptOutWords: String {
    keptOutRows == 0 ? "" : ", \(keptOutRows.counted("outbox row")) to keep out"
  }

  /// Whether the plan can be reversed without the snapshot.
  var reversibility: String { isReversible ? "yes" : "only with the snapshot" }
}

extension Plan {
  /// The results of the outbox rows; `nil` unless they are written in the deliverable form.
  var outbox: (title: String, parts: [DeliveryCounts.Part])? {
    guard rows == .deliverable, let delivery, delivery.rows > 0 else { return nil }
    return ("Outbox, in the form that the app sends", delivery.parts)
  }
}

extension PlanBlocker {
  /// The title of the list of blockers.
  static let title = "Blockers: 'apply' refuses for these reasons"

  /// The number of rows, if it is about rows, and the exit status.
  var measure: String {
    (rows > 0 ? rows.counted("row") + ", " : "") + "exit \(exitStatus.rawValue)"
  }
}

extension PlannedLoss {
  /// A Boolean value indicating whether an entity is dropped, not a property.
  var isOfRows: Bool { !object.contains(".") }

  /// The number of lost rows of an entity, or lost values of a property.
  package var amount: String { rows.counted(isOfRows ? "row" : "value") }
}

extension PlannedStep {
  /// The action of the step, in words.
  var action: String {
    let name = verb == "rename" ? "rename, values unchanged" : verb
    return isReversible ? name : name + ", one-way"
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
  /// The event types, ordered by decreasing number of rows.
  var rankedTypes: [(name: String, rows: Int64)] {
    eventTypes.sorted {
      $0.value != $1.value
        ? $0.value > $1.value : $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
    .map { (name: $0.key, rows: $0.value) }
  }
}
