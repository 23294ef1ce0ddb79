import StoreMigration

extension PlanOutcome {
  /// The lines for a terminal.
  func textLines(_ style: Style) -> [String] {
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
      rows.append([
        "Steps", Cell("\(plan.from) -> \(plan.to)"),
        Cell(stepSummary),
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
    let summary =
      "Plan: \(changedRows.counted("row")) changed, \(lostValues.counted("value")) lost. "
      + "Reversible: \(reversibility). "
      + "Needs \(plan.neededBytes.byteSize) of disk. Nothing has been written."
    return [summary, "To do exactly this:  \(style.command(applyWords))"]
  }
}

extension PlannedStep {
  /// A line of a table: sign, object, new name, rows, what is done.
  fileprivate var cells: [Cell] {
    let tone: Style.Tone =
      switch verb {
      case "add": .good
      case "drop": .bad
      default: .changed
      }
    return [
      Cell(sign, tone), Cell(object), Cell(newName.map { "-> " + $0 } ?? ""),
      Cell(rows.counted("row")), Cell(deed),
    ]
  }
}

extension PlanWarning {
  /// The event types with the most rows, on one line; all of them are in the JSON form.
  fileprivate var typeLines: [String] {
    let types = rankedTypes
    if types.isEmpty { return [] }
    let shown = types.prefix(4).map { "\($0.name.printable) \($0.rows.grouped)" }
    let rest = types.count - shown.count
    let more = rest > 0 ? " · \(rest.counted("more type"))" : ""
    return ["    " + shown.joined(separator: " · ") + more]
  }
}
