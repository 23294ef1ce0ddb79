import StoreMigration
import Migrations
import RowRewriting
import SQLite
import StoreFormat
import StoreModel

/// What becomes of one row by the steps that remove rows one by one.
struct RowRemovalStory {
  /// What each of these steps does to the row, by the index of the step in the lineage.
  private(set) var rules: [Int: String] = [:]

  /// The index of the step that removes the row; `nil` if it stays.
  let place: Int?

  /// The row's fate in one word; `nil` if it stays.
  let fate: String?

  /// Finds out by the code that `apply` runs; `nil` if no step removes rows.
  init?(of rows: RowStages, _ connection: borrowing Connection) throws {
    let (planner, row) = (rows.planner, rows.row)
    guard let removals = try planner.program(options: rows.options).removals else { return nil }
    try removals.prepare(connection, schema: "main")
    let removal = try removals.removal(of: row.key, in: row.table.name, connection)
    place = removal?.place
    fate = removal.map { $0.winner == nil ? "deleted" : "united" }
    for (index, traced) in planner.route.lineage.steps.enumerated() {
      switch traced.step {
      case .deleteRows(let deletion):
        rules[index] =
          index == place
          ? "deleted: \(deletion.reason)" : "kept: the condition isn't true for it"
      case .unite(let union):
        if index == place, let winner = removal?.winner {
          rules[index] =
            "united with \(row.entity)/\(winner): equal by \(union.by.map(\.text).joined(separator: ", "))"
          continue
        }
        let count = try removals.count(
          unitedWith: row.key, in: row.table.name, byStep: index, connection)
        rules[index] =
          count == 0
          ? "kept: no other row is equal"
          : "kept: \(counted(count, "row is", "rows are")) united with it"
      default: continue
      }
    }
  }
}
