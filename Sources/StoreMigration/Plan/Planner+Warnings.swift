import SQLite
import StoreFormat

extension Planner {
  /// What a plan has to say about rows that need an owner.
  func ownerWarnings(
    _ tallies: [String: Tally], owner: OwnerOption, _ program: StoreProgram
  ) -> [PlanWarning] {
    let rows = program.missingOptions(tallies)[.userID] ?? 0
    guard rows > 0 else { return [] }
    let named = owner.candidates == 0 ? "none" : "\(owner.candidates) candidates"
    return [
      PlanWarning(
        code: "user-id-needed", rows: rows,
        message: "rows need an owner and the store names \(named); give one with '--user-id'")
    ]
  }
}
