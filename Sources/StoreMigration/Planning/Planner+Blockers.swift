import StoreExchange
import Platform
import SQLite
import StoreFormat
import StoreModel
import Migrations
import StoreAccess
import RowRewriting
import StoreProof

extension Planner {
  /// Returns the plan of a store, with what `apply` would refuse and what is wrong with the file.
  ///
  /// - Parameters:
  ///   - path: The store's path, as it was typed.
  ///   - checksIntegrity: Whether to run SQLite's integrity check.
  ///   - connection: A connection to the store.
  /// - Returns: The plan with blockers, in the order in which `apply` would find them.
  /// - Throws: An error if the store can't be read.
  /// - Complexity: Reads the whole file. If rows may break a rule of the target, or the file fails
  ///   the integrity check, the migration is rehearsed in a temporary file.
  func reviewedPlan(
    typed path: String, checksIntegrity: Bool, _ connection: borrowing Connection
  ) throws -> Plan {
    let owner = try owner(connection)
    let program = try program(options: owner.options)
    var (plan, damage) = try plan(
      program, owner: owner, checksIntegrity: checksIntegrity, connection)
    guard plan.hasChanges else { return plan }
    try route.checkCache()
    _ = try route.target.modelCache()
    let risk = RuleRisk(
      route.lineage, program: program, source: route.source.model, target: route.target.model,
      store: store)
    // A rehearsal ends at the rows that formulas refuse.
    let rehearsed =
      plan.blockers.isEmpty && (risk.isPresent || !damage.isEmpty)
      ? try Rehearsal(path: path, planner: self, program: program).outcome()
      : Rehearsal.Outcome()
    let asked = plan.requestBlockers(request)
    plan.blockers =
      try mirroringBlockers(connection) + obstacles(typed: path, connection)
      + plan.blockers + rehearsed.writing + strandedLinks(of: program, connection) + asked
      + (asked.isEmpty ? rehearsed.proof : [])
    // What can't be read is a blocker already.
    let parked = try? ParkedFiles(beside: replacedFiles ?? files, for: route.target)
    plan.warnings += parked?.warnings ?? []
    plan.warnings += integrityWarnings(damage, isChecked: checksIntegrity)
    return plan
  }

  /// Returns the plan, and the findings of SQLite's integrity check, which takes as long.
  private func plan(
    _ program: StoreProgram, owner: OwnerOption, checksIntegrity: Bool,
    _ connection: borrowing Connection
  ) throws -> (Plan, [Finding]) {
    func made() throws -> Plan { try plan(program, owner: owner, connection) }
    guard checksIntegrity, !route.migrations.isEmpty else { return (try made(), []) }
    guard isUnshared else {
      return (try made(), try StoreCheck.integrityFindings(connection))
    }
    // Nobody writes to the store, so a second connection reads the same pages.
    return try concurrently(made) { [path = files.path, target = route.target] in
      let findings = try StoreCheck.integrityFindings(
        OpenedStore.connection(to: path, isShared: false))
      // It is needed next; if it can't be made, that is told there.
      _ = try? target.modelCache()
      return findings
    }
  }

  /// The reasons that lie in the store's files and in other processes.
  private func obstacles(
    typed path: String, _ connection: borrowing Connection
  ) throws -> [PlanBlocker] {
    var blockers: [PlanBlocker] = []
    if !holders.isEmpty {
      let error = StoreAccessError.inUse(path, holders: holders.map(\.description))
      blockers.append(PlanBlocker(MigrationError(.access(error))))
    }
    for error in (replacedFiles ?? files).obstacles(
      connection, from: route.source.name, to: route.target.name, typed: path)
    {
      guard let known = MigrationError(known: error, path: path) else { throw error }
      blockers.append(PlanBlocker(known))
    }
    return blockers
  }

  /// The warning about damage that the migration gets past, or that wasn't looked for.
  private func integrityWarnings(_ damage: [Finding], isChecked: Bool) -> [PlanWarning] {
    guard isChecked else {
      return [
        PlanWarning(
          code: "integrity-unchecked", rows: 0,
          message: "the file's integrity wasn't checked; 'apply' may find it damaged")
      ]
    }
    return damage.first.map { first in
      [
        PlanWarning(
          code: "integrity", rows: 0,
          message:
            "the file fails SQLite's integrity check: \(first.lines[0]); 'verify' lists what it finds"
        )
      ]
    } ?? []
  }
}

extension Plan {
  /// Returns the blockers that options can remove, in the order in which `apply` finds them.
  func requestBlockers(_ request: MigrationRequest) -> [PlanBlocker] {
    let ownerless = warnings.filter { $0.code == "user-id-needed" }.map {
      PlanBlocker(code: $0.code, message: $0.message, rows: $0.rows, exitStatus: .misuse)
    }
    do throws(RequestError) {
      try request.checkAllAccepted(losses)
      return ownerless
    } catch {
      return ownerless + [PlanBlocker(MigrationError(.request(error)))]
    }
  }
}
