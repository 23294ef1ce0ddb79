import SQLite
import StoreFormat

extension Planner {
  /// What one should know before applying.
  func warnings(
    _ tallies: [String: Tally], owner: OwnerOption, _ program: StoreProgram,
    _ connection: borrowing Connection
  ) throws -> [PlanWarning] {
    var warnings: [PlanWarning] = []
    let ownerless = program.missingOptions(tallies)[.userID] ?? 0
    if ownerless > 0 {
      let named = owner.candidates == 0 ? "none" : "\(owner.candidates) candidates"
      warnings.append(
        PlanWarning(
          code: "user-id-needed", rows: ownerless,
          message: "rows need an owner and the store names \(named); give one with '--user-id'"))
    }
    return warnings
      + (try OutboxAudit(program: program, owner: owner.value)?.warnings(connection) ?? [])
  }
}
