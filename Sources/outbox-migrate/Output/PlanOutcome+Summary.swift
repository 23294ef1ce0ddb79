import StoreMigration

/// What every face of a plan says of the whole of it.
extension PlanOutcome {
  /// The steps that can't be taken back without the snapshot.
  var oneWayCount: Int { plan.steps.count { !$0.isReversible } }

  /// `7 steps, 7 reversible, 0 one-way`.
  var stepSummary: String {
    "\(plan.steps.count.counted("step")), \(plan.steps.count - oneWayCount) reversible, "
      + "\(oneWayCount) one-way"
  }

  /// The losses that there are values of.
  var losses: [PlannedLoss] { plan.losses.filter { $0.rows > 0 } }

  /// The values that have no place in the target.
  var lostValues: Int64 { plan.losses.reduce(0) { $0 + $1.rows } }

  /// The rows of every entity that a step changes, each entity counted once.
  var changedRows: Int64 {
    PlanPicture(plan.steps).entities.reduce(0) { $0 + $1.rows }
  }

  /// What takes the plan back.
  var reversibility: String { plan.isReversible ? "yes" : "only by the snapshot" }

  /// The words of the command that does what the plan says.
  var applyWords: [String] {
    let accepted = losses.flatMap { ["--accept-data-loss", $0.step.shellWord] }
    let needsOwner = plan.warnings.contains { $0.code == "user-id-needed" }
    return ["apply", path.shellPath] + options.words + accepted
      + (needsOwner ? ["--user-id", "ID"] : [])
  }
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
