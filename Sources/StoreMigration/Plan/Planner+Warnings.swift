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

extension StoreProgram {
  /// What a plan has to say about values that name the row of a relationship and aren't carried.
  func linkWarnings(_ tallies: [String: Tally]) -> [PlanWarning] {
    rewrites.flatMap { program -> [PlanWarning] in
      guard let tally = tallies[program.table.name] else { return [] }
      return program.drops.enumerated().flatMap { place, drop in
        [
          PlanWarning(
            code: "link-disagrees", rows: tally.disagreements[place],
            message:
              "'\(drop.object)' doesn't name the row that the link leads to; the link is kept"),
          PlanWarning(
            code: "link-unknown", rows: tally.strangers[place],
            message: "'\(drop.object)' names no one row, and there is no link; they stay without"),
        ].filter { $0.rows > 0 }
      }
    }
  }
}
