import Migrations
import RowRewriting
import SQLite
import StoreAccess
import StoreExchange
import StoreFormat
import StoreProof

/// What an apply refuses after the store is locked.
extension ApplyRun {
  /// Refuses a plan whose rows have changed, or whose losses aren't all accepted.
  func checkPlan(_ store: borrowing ExclusiveStore) throws {
    guard let plan else { return }
    let planner = Planner(
      route: route, request: request, store: try recheck(store), files: files)
    try plan.check(
      planner.inputs(store.connection),
      planner.store.layout(of: route.source.model).numbering, store.connection)
    // The plan lists the losses, so they can be refused before a new store is written.
    try request.checkAllAccepted(plan.plan.losses)
  }

  /// What was written must be what the plan says.
  func checkPlan(_ written: Written) throws {
    try plan?.check(
      rowsWritten: written.rows.tallies.rowsWritten, written.rows.delivery,
      written.conversions, written.losses)
  }

  /// What was decided before the lock was taken must still hold under it.
  func recheck(_ store: borrowing ExclusiveStore) throws -> StoreDescription {
    let description = try catalog.completing(StoreDescription(reading: store.connection))
    if description == seen { return description }
    let version = try Recognition(description, in: catalog)
      .startingVersion(for: request, of: description, typed: path)
    guard version == route.source else { throw StoreAccessError.inUse(path, holders: []) }
    return description
  }

  func refuse(
    _ planner: Planner, _ program: StoreProgram, _ tallies: [String: Tally],
    _ losses: [PlannedLoss], owner: OwnerOption, _ connection: borrowing Connection
  ) throws {
    if let blocker = try planner.strandedLinks(of: program, connection).first {
      throw VerificationError(path, findings: [blocker.message])
    }
    if program.missingOptions(tallies)[.userID] ?? 0 > 0 {
      throw RequestError.userIDNeeded(candidates: owner.candidates)
    }
    try request.checkAcceptedLosses(among: losses, of: route)
    try request.checkAllAccepted(losses)
  }
}
