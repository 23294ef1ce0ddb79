import MigrationMonitoring
import SafeText
import StoreMigration

extension PlanOutcome {
  /// Returns the lines for a terminal.
  func textLines(_ style: Style) -> [String] {
    guard plan.hasChanges else {
      return head(style) + plan.warnings.section(style, showsTypes: true) + ["", plan.summary]
        + savedLines
    }
    return head(style) + [""] + stepLines(style) + conversionLines(style) + deliveryLines(style)
      + exampleLines(style)
      + lossLines(style) + plan.warnings.section(style, showsTypes: true) + blockerLines(style) + [
        ""
      ]
      + (expected.map { [$0.sentence] } ?? []) + conclusion(style)
  }

  private func head(_ style: Style) -> [String] {
    var rows: [[Cell]] = [
      ["Store", Cell(path), Cell(standing), Cell(bytes?.byteSize ?? "")]
    ]
    if let file, !file.isNew {
      rows.insert(["Plan", Cell(file.path), Cell("by " + file.tool)], at: 0)
    }
    if plan.hasChanges {
      rows.append(["Steps", Cell("\(plan.from) -> \(plan.to)"), Cell(plan.stepSummary)])
    }
    return Columns(rows: rows, indent: 0).lines(style)
  }

  /// The app and the version; documented rows at the target are taken back to those before.
  private var standing: String {
    plan.warnings.contains { $0.code == "rolled-back-first" }
      ? "\(plan.app) \(plan.to), taken back to \(plan.from) first" : "\(plan.app) \(plan.from)"
  }

  private func conversionLines(_ style: Style) -> [String] {
    if plan.conversions.isEmpty { return [] }
    return ["", "Conversions"]
      + Columns(rows: plan.conversions.map(\.cells), rightAligned: [2]).lines(style)
  }

  private func deliveryLines(_ style: Style) -> [String] {
    guard let outbox = plan.outbox, let delivery = plan.delivery else { return [] }
    return ["", outbox.title] + delivery.lines(style)
  }

  /// Returns the first examples; the JSON format has one for each class.
  private func exampleLines(_ style: Style) -> [String] {
    let shown = plan.examples.prefix(Self.exampleLimit)
    if shown.isEmpty { return [] }
    let rest = plan.examples.count - shown.count
    let more =
      rest > 0 ? ["  \(rest.counted("more class", "more classes")) in the JSON output"] : []
    return ["", "Examples: the first row of each class"]
      + Columns(rows: shown.map(\.cells)).lines(style) + more
  }

  private static let exampleLimit = 8

  private func lossLines(_ style: Style) -> [String] {
    if plan.losses.isEmpty { return [] }
    let rows = plan.losses.map { loss -> [Cell] in
      let isAccepted = !plan.openLosses(accepted: accepted).contains(loss)
      return [
        Cell("-", .bad), Cell(loss.step), Cell(loss.amount), Cell(isAccepted ? "accepted" : ""),
      ]
    }
    let title = "Losses: values that can't be restored from \(plan.to.printable)"
    return ["", title + " (the snapshot keeps them)"]
      + Columns(rows: rows, rightAligned: [2], gap: 2).lines(style)
  }

  private func blockerLines(_ style: Style) -> [String] {
    if plan.blockers.isEmpty { return [] }
    let lines = plan.blockers.flatMap { blocker -> [String] in
      let head = "  \(style(.bad, blocker.code.printable))   \(blocker.measure)"
      return [head, "    \(blocker.message.printable)"]
    }
    return ["", PlanBlocker.title] + lines
  }
}
