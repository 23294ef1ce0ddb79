import SafeText
import StoreMigration
import Migrations

extension PlanOutcome {
  /// Returns the summary, and the command to run next.
  func conclusion(_ style: Style) -> [String] {
    let next = nextCommand(style)
    let summary = plan.summary + (file == nil ? " Nothing has been written." : "")
    return [summary] + savedLines + otherForm(style) + ["\(next.purpose):  \(next.command)"]
  }

  /// Returns the command that plans the deliverable form, if this plan doesn't and could.
  private func otherForm(_ style: Style) -> [String] {
    guard file == nil, plan.rows == .documented,
      plan.warnings.contains(where: { $0.code == "not-deliverable" }), plan.delivery != nil
    else { return [] }
    let words = ["plan", path.shellPath] + options + ["--rows", "deliverable"] + missingWords
    return ["For outbox rows that the app can send:  \(style.command(words))"]
  }

  /// Returns the command to run next, and its purpose.
  func nextCommand(_ style: Style) -> (purpose: String, command: String) {
    let missing = missingWords
    guard let file else {
      return (purpose, style.command(["apply", path.shellPath] + options + missing))
    }
    guard missing.isEmpty else {
      let words = ["plan", file.store?.shellPath ?? path.shellPath] + options + missing
      let command = style.command(words + ["--out", file.path.shellPath])
      return ("This plan can't be applied as it is. To create one that can", command)
    }
    let words = ["apply", file.path.shellPath] + (file.store.map { [$0.shellPath] } ?? [])
    return (hasObstacles ? purpose : "To apply this plan", style.command(words))
  }

  private var purpose: String { hasObstacles ? "To apply, when nothing blocks it" : "To apply" }

  /// Whether there are blockers that no option of `apply` removes.
  private var hasObstacles: Bool {
    plan.blockers.contains { !["user-id-needed", "data-loss"].contains($0.code) }
  }

  var savedLines: [String] {
    guard let file, file.isNew else { return [] }
    return ["Saved to \(file.path.printable). Nothing else has been written."]
  }

  /// The options that `apply` needs in addition.
  ///
  /// Each loss is accepted by its step's name; more than three stand on a line each.
  private var missingWords: [String] {
    let open = plan.openLosses(accepted: accepted).byStep.map(\.step)
    let start = open.count > 3 ? "\\\n  " : ""
    let needsOwner = plan.warnings.contains { $0.code == "user-id-needed" }
    return (needsOwner ? ["--user-id", "ID"] : [])
      + open.flatMap { [start + "--accept-data-loss", $0.shellWord] }
  }
}
