import StoreMigration

extension PlanOutcome {
  func lines(_ style: Style) -> [String] {
    guard plan.hasChanges else {
      return head(style) + ["", "No changes: the store is at \(plan.to.printable)."]
    }
    return head(style) + [""] + stepLines(style) + conversionLines(style) + lossLines(style)
      + warningLines(style) + [""] + conclusion(style)
  }

  private func head(_ style: Style) -> [String] {
    var rows: [[Cell]] = [
      ["Store", Cell(path), Cell("\(plan.app) \(plan.from)")]
    ]
    if plan.hasChanges {
      let oneWay = plan.steps.count { !$0.isReversible }
      rows.append([
        "Steps", Cell("\(plan.from) -> \(plan.to)"),
        Cell(
          "\(plan.steps.count.counted("step")), \(plan.steps.count - oneWay) reversible, "
            + "\(oneWay) one-way"),
      ])
    }
    return Columns(rows: rows, indent: 0).lines(style)
  }

  /// The steps, under the names of their migrations where there are several.
  private func stepLines(_ style: Style) -> [String] {
    let table = Columns(rows: plan.steps.map(\.cells), rightAligned: [3], gap: 2).lines(style)
    if plan.migrations.count < 2 { return table }
    return zip(plan.steps, table).enumerated().flatMap { place, line in
      let isFirst = place == 0 || plan.steps[place - 1].migration != line.0.migration
      return isFirst ? ["  " + line.0.migration.printable, "  " + line.1] : ["  " + line.1]
    }
  }

  private func conversionLines(_ style: Style) -> [String] {
    if plan.conversions.isEmpty { return [] }
    return ["", "Conversions"]
      + Columns(rows: plan.conversions.map(\.cells), rightAligned: [2]).lines(style)
  }

  private func lossLines(_ style: Style) -> [String] {
    let losses = plan.losses.filter { $0.rows > 0 }
    if losses.isEmpty { return [] }
    let rows: [[Cell]] = losses.map {
      [Cell("-", .bad), Cell($0.step), Cell($0.rows.counted("value"))]
    }
    return ["", "Losses: what has no place in \(plan.to.printable); the snapshot keeps it"]
      + Columns(rows: rows, rightAligned: [2], gap: 2).lines(style)
  }

  private func warningLines(_ style: Style) -> [String] {
    if plan.warnings.isEmpty { return [] }
    let lines = plan.warnings.flatMap { warning -> [String] in
      let head = "  \(style(.changed, warning.code.printable))   \(warning.rows.counted("row"))"
      return [head, "    \(warning.message.printable)"] + warning.typeLines
    }
    return ["", "Warnings"] + lines
  }

  private func conclusion(_ style: Style) -> [String] {
    let lost = plan.losses.reduce(0) { $0 + $1.rows }
    let summary =
      "Plan: \(changedRows.counted("row")) changed, \(lost.counted("value")) lost. "
      + "Reversible: \(plan.isReversible ? "yes" : "only by the snapshot"). "
      + "Needs \(plan.neededBytes.byteSize) of disk. Nothing has been written."
    let accepted = plan.losses.filter { $0.rows > 0 }.flatMap {
      ["--accept-data-loss", $0.step.shellWord]
    }
    let needsOwner = plan.warnings.contains { $0.code == "user-id-needed" }
    let words =
      ["apply", path.shellPath] + options.words + accepted
      + (needsOwner ? ["--user-id", "ID"] : [])
    return [summary, "To do exactly this:  \(style.command(words))"]
  }

  /// The rows of every entity that a step changes, each entity counted once.
  private var changedRows: Int64 {
    var origins: [String: String] = [:]
    var rows: [String: Int64] = [:]
    for step in plan.steps {
      let name = String(step.object.prefix { $0 != "." })
      let origin = origins[name] ?? name
      rows[origin] = max(rows[origin] ?? 0, step.rows)
      if step.object == name, let newName = step.newName { origins[newName] = origin }
    }
    return rows.values.reduce(0, +)
  }
}

extension PlannedStep {
  /// A line of a table: sign, object, new name, rows, what is done.
  fileprivate var cells: [Cell] {
    let sign: Cell =
      switch verb {
      case "add": Cell("+", .good)
      case "drop": Cell("-", .bad)
      default: Cell("~", .changed)
      }
    let what = verb == "rename" ? "rename, no value changes" : verb
    return [
      sign, Cell(object), Cell(newName.map { "-> " + $0 } ?? ""),
      Cell(rows.counted("row")), Cell(isReversible ? what : what + ", one-way"),
    ]
  }
}

extension PlanWarning {
  /// The event types with the most rows, on one line; all of them are in the JSON form.
  fileprivate var typeLines: [String] {
    if eventTypes.isEmpty { return [] }
    let types = eventTypes.sorted {
      $0.value != $1.value
        ? $0.value > $1.value : $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
    let shown = types.prefix(4).map { "\($0.key.printable) \($0.value.grouped)" }
    let rest = types.count - shown.count
    let more = rest > 0 ? " · \(rest.counted("more type"))" : ""
    return ["    " + shown.joined(separator: " · ") + more]
  }
}
