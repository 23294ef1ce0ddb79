import SafeText
import Migrations
import OutboxConversion
import StoreMigration

/// A plan as SQL, for people who want to check what `apply` writes.
struct PlanScript {
  let plan: Plan
  let statements: [String]

  var lines: [String] {
    guard plan.hasChanges else { return ["-- \(plan.summary)"] }
    return heading + statements.flatMap { [""] + printed($0 + ";") }
  }

  /// Returns the lines of a statement; a name of the store may have control characters.
  private func printed(_ statement: String) -> [String] {
    statement.split(separator: "\n").map { String($0).printable }
  }

  private var heading: [String] {
    let deliverable =
      plan.delivery == nil || plan.rows == .documented
      ? []
      : [
        "-- The outbox's rows have no statement: 'apply' decides about each of them in turn",
        "-- (\(plan.delivery?.delivered ?? 0) are written).",
      ]
    return [
      "-- \(plan.app.printable) \(plan.from.printable) to \(plan.to.printable), for reading. Don't run it: 'apply' also",
      "-- proves every value, and keeps the old store.",
      "--",
      "-- 'main' is the store, 'new' is the new file. Converters appear as functions. :user_id is the",
      "-- owner of rows without one; :uuid, :plist and :model are the store's metadata and the model.",
    ] + deliverable
  }
}
