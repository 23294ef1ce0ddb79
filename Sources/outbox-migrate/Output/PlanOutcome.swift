import JSONText
import StoreMigration
package import Migrations
package import RowRewriting

/// What `plan` and `show` say of a plan.
struct PlanOutcome: Report {
  /// The store's path as it was typed, or its name where the plan was saved.
  let path: String

  /// The size of the store's main file; none where the plan was saved.
  let bytes: Int64?

  let plan: Plan

  /// The words by which the plan is asked for again.
  let options: [String]

  /// The steps whose losses are accepted.
  let accepted: [String]

  /// The file that the plan is saved in.
  let file: SavedPlan?

  /// How it is said to people.
  let format: PlanFormat

  /// A Boolean value indicating whether pending changes have an exit status of their own.
  let reportsChanges: Bool

  /// A file with a plan.
  struct SavedPlan: Hashable {
    /// The path as it was typed.
    let path: String

    /// The tool that made it.
    let tool: String

    /// The store's path, where it doesn't lie beside the file.
    let store: String?

    /// A Boolean value indicating whether it was just made.
    let isNew: Bool
  }

  var exitStatus: StoreMigration.ExitStatus {
    reportsChanges && plan.hasChanges ? .changesPending : .done
  }

  var members: [JSONValue.Member] {
    let plan = plan.members.flatMap { member -> [JSONValue.Member] in
      member.key == "to" ? [member, .init("changes", .bool(self.plan.hasChanges))] : [member]
    }
    return [.init("store", .string(path))] + plan + [
      .init("reversible", .bool(self.plan.isReversible)),
      .init("summary", .string(self.plan.summary)),
      .init("accepted_losses", JSONValue(accepted) { .string($0) }),
      .init("file", JSONValue(file?.path)),
    ]
  }
}

extension Plan {
  /// The plan in one sentence, and what one asks next.
  var summary: String {
    guard hasChanges else { return "No changes: the store is at \(to.printable)." }
    return "Plan: \(rowsWritten.counted("row")) to write, \(lostRows.counted("row")) and "
      + "\(lostValues.counted("value")) to lose. "
      + "Reversible: \(reversibility). "
      + "Needs \(neededBytes.byteSize) of disk."
  }

  /// The losses that nobody has accepted.
  func openLosses(accepted: [String]) -> [PlannedLoss] {
    accepted.contains("all") ? [] : losses.filter { !accepted.contains($0.step) }
  }
}

extension PlannedConversion {
  /// A line of a table: attribute, new name, values, classes.
  var cells: [Cell] {
    // Of `SDOutboxEvent.payload` and `SDOutboxEvent.metadata` the second name says enough.
    let entity = object.prefix { $0 != "." } + "."
    let name = target.hasPrefix(entity) ? String(target.dropFirst(entity.count)) : target
    return [
      Cell(object), Cell("-> " + name), Cell(rows.counted("value")),
      Cell(classes.map { "\($0.count.grouped) \($0.name)" }.joined(separator: " · ")),
    ]
  }
}
