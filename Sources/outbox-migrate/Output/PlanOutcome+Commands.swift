import StoreMigration
package import Migrations
package import RowRewriting

extension PlanOutcome {
  /// The sentence that sums up, and the command to run next.
  func conclusion(_ style: Style) -> [String] {
    let next = nextCommand(style)
    let summary = plan.summary + (file == nil ? " Nothing has been written." : "")
    return [summary] + savedLines + otherForm(style) + ["\(next.purpose):  \(next.command)"]
  }

  /// The command that writes the outbox as the app sends it, where this plan doesn't and could.
  private func otherForm(_ style: Style) -> [String] {
    guard file == nil, plan.rows == .documented,
      plan.warnings.contains(where: { $0.code == "not-deliverable" }), plan.delivery != nil
    else { return [] }
    let words = ["plan", path.shellPath] + options + ["--rows", "deliverable"] + missingWords
    return ["For an outbox that the app sends:  \(style.command(words))"]
  }

  /// The command to run next, and what it is for.
  func nextCommand(_ style: Style) -> (purpose: String, command: String) {
    let missing = missingWords
    guard let file else {
      return ("To do this", style.command(["apply", path.shellPath] + options + missing))
    }
    guard missing.isEmpty else {
      let words = ["plan", file.store?.shellPath ?? path.shellPath] + options + missing
      let command = style.command(words + ["--out", file.path.shellPath])
      return ("It can't be applied yet. To make one that can", command)
    }
    let words = ["apply", file.path.shellPath] + (file.store.map { [$0.shellPath] } ?? [])
    return ("To do exactly this", style.command(words))
  }

  var savedLines: [String] {
    guard let file, file.isNew else { return [] }
    return ["Saved to \(file.path.printable). Nothing else has been written."]
  }

  /// What apply would still ask for.
  ///
  /// Every loss stands above with its number, so that many of them may be accepted together.
  private var missingWords: [String] {
    let open = plan.openLosses(accepted: accepted).map(\.step)
    let steps = open.count > 3 ? ["all"] : open
    let needsOwner = plan.warnings.contains { $0.code == "user-id-needed" }
    return steps.flatMap { ["--accept-data-loss", $0.shellWord] }
      + (needsOwner ? ["--user-id", "ID"] : [])
  }
}
