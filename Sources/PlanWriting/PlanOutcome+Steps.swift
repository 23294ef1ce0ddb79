import SafeText
import StoreMigration

extension PlanOutcome {
  /// Returns the steps, grouped by migration if there are several.
  ///
  /// Of more than 12 steps, those for entities without rows are only counted.
  func stepLines(_ style: Style) -> [String] {
    let isLong = plan.steps.count > 12
    let shown = plan.steps.filter { !isLong || $0.rows > 0 }
    let table = Columns(rows: shown.map(\.cells), rightAligned: [3], gap: 2).lines(style)
    let nothing =
      plan.steps.contains { $0.verb == "drop" } ? [] : ["  -  no entity or property is dropped"]
    if plan.migrations.count < 2 && shown.count == plan.steps.count { return table + nothing }
    let lines = Array(zip(shown, table))
    return plan.migrations.flatMap { migration -> [String] in
      let own = lines.filter { $0.0.migration == migration }.map { "  " + $0.1 }
      let all = plan.steps.count { $0.migration == migration }
      let rest = all - own.count
      let more = rest == 0 ? [] : ["    " + style(.faint, "·  \(Self.rest(rest, of: all))")]
      return ["  " + migration.printable] + own + more
    } + nothing
  }

  private static func rest(_ count: Int, of all: Int) -> String {
    count == all
      ? "\(count.counted("step")) for entities without rows"
      : "\(count.counted("more step")) for entities without rows"
  }
}

extension PlannedStep {
  /// A row of a table: sign, object, new name, rows, action.
  fileprivate var cells: [Cell] {
    let tone: Style.Tone =
      switch verb {
      case "add": .good
      case "drop": .bad
      default: .changed
      }
    return [
      Cell(sign, tone), Cell(object), Cell(newName.map { "-> " + $0 } ?? ""),
      Cell(rows.counted("row")), Cell(action),
    ]
  }
}
