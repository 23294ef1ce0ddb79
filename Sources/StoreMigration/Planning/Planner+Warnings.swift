import SQLite
import StoreFormat
import Migrations
import StoreModel
import RowRewriting
import OutboxConversion

extension Planner {
  /// Returns the warnings of a plan, which `apply` repeats.
  ///
  /// The warnings about the rows of a documented outbox come from a pass over them.
  func warnings(
    _ program: StoreProgram, _ tallies: [String: Tally], owner: OwnerOption,
    ofRows rowWarnings: [PlanWarning], _ delivery: DeliveryCounts?
  ) -> [PlanWarning] {
    fileWarnings + ownerWarnings(tallies, owner: owner, program) + program.linkWarnings(tallies)
      + rowWarnings + deliveryWarnings(delivery) + indexWarnings(program) + routeWarnings
  }

  /// Returns the warnings about the store as it is: mirroring, missing links, missing external data.
  ///
  /// No migration brings a missing file back, and the new store lacks it as the old one did.
  func storeWarnings(_ connection: borrowing Connection) throws(SQLiteError) -> [PlanWarning] {
    let missing = try StoreCheck(store, files: replacedFiles ?? files)
      .missingExternalData(connection)
    return try mirroringWarnings(connection) + mandatoryLinkWarnings(connection)
      + missing.map {
        PlanWarning(
          code: $0.check.rawValue, rows: 0,
          message: "\($0.message); the app finds no value there, before the migration as after it")
      }
  }

  /// The warnings about the owner of rows that name none.
  private func ownerWarnings(
    _ tallies: [String: Tally], owner: OwnerOption, _ program: StoreProgram
  ) -> [PlanWarning] {
    if owner.otherProfiles > 0, route.lineage.needs(.userID) {
      return [
        PlanWarning(
          code: "unknown-user", rows: 0,
          message: "no profile in the store has the id given with '--user-id', which rows without "
            + "an owner get; give a profile's id")
      ]
    }
    let rows = program.missingOptions(tallies)[.userID] ?? 0
    guard rows > 0 else { return [] }
    return [
      PlanWarning(
        code: "user-id-needed", rows: rows,
        message: RequestError.userIDNeeded(candidates: owner.candidates).description)
    ]
  }

  /// The warning about outbox rows that the app can't send as they are.
  ///
  /// With deliverable rows it counts the quarantine, else it says what `--rows deliverable` would
  /// do.
  private func deliveryWarnings(_ counts: DeliveryCounts?) -> [PlanWarning] {
    guard let counts, counts.rows > 0 else { return [] }
    if request.rows == .deliverable {
      return [
        PlanWarning(
          code: "quarantine", rows: counts.quarantinedRows,
          message:
            "these rows go to the quarantine, a file beside the snapshot, instead of the store"
            + (counts.secrets > 0
              ? "; the file contains passwords or tokens of \(counted(counts.secrets, "row", "rows")); "
                + "protect it like the store" : ""))
      ].filter { $0.rows > 0 }
    }
    return [
      PlanWarning(
        code: "not-deliverable", rows: counts.rows,
        message:
          "'--rows deliverable' writes \(counts.delivered.grouped) of them in the form that the app sends, "
          + "puts \(counts.quarantinedRows.grouped) into quarantine, "
          + "cancels \(counts.cancelled.grouped) and folds \(counts.folded.grouped) into others")
    ]
  }

  /// The warnings about indexes that no step is about.
  ///
  /// The new store doesn't get those of rewritten tables that aren't part of the model. It gets
  /// those of the target's model that a table lacks, also if the table is copied.
  private func indexWarnings(_ program: StoreProgram) -> [PlanWarning] {
    let tables = Set(
      program.actions.compactMap { action -> String? in
        if case .carry = action { nil } else { action.sourceTable?.lowercased() }
      })
    let asked = program.sourceLayout.indexes
    let others = store.indexes.filter { index in
      index.sql != nil && tables.contains(index.table.lowercased())
        && !asked.contains {
          $0.table.lowercased() == index.table.lowercased() && $0.columns == index.columns
        }
    }
    let added = IndexPlan(of: program, in: store).added.map { index in
      PlanWarning(
        code: "index-comes", rows: 0,
        message: "'\(index.name)' on '\(index.table)' is created; the table's rows stay as they are"
      )
    }
    return added
      + others.map { index in
        PlanWarning(
          code: "index-goes", rows: 0,
          message:
            "'\(index.name)' on '\(index.table)' isn't part of the model and isn't created again; "
            + "the app doesn't need it")
      }
  }

  private var routeWarnings: [PlanWarning] {
    let outOfReach = route.outOfReachSentence.map {
      PlanWarning(code: "version-out-of-reach", rows: 0, message: $0)
    }
    let unused = route.unusedMigrations.map {
      PlanWarning(
        code: "unused-migration", rows: 0,
        message:
          "the migration is inferred from the models, and the file '\($0.name)' isn't used, because "
          + "the versions are '\(route.source.name)' and '\(route.target.name)'; give it these names if "
          + "it is meant")
    }
    let orders = route.lineage.lostOrders(from: route.source.model, to: route.target.model).map {
      PlanWarning(
        code: "order-goes", rows: 0,
        message: "'\($0.path)' loses its order in '\($0.migration)'; its links stay, in no order")
    }
    return [outOfReach, route.editionWarning(request)].compactMap(\.self) + unused + orders
  }
}

extension Route {
  /// Returns the warning about a target that is another edition than the one that was named.
  func editionWarning(_ request: MigrationRequest) -> PlanWarning? {
    guard request.schema == nil, let name = request.target,
      name.lowercased() != target.name.lowercased()
    else { return nil }
    return PlanWarning(
      code: "other-edition", rows: 0,
      message: "'--to \(name)' means \(target.name) here: no migration leads from "
        + "\(source.name) to the \(name) that shipped")
  }
}

extension StoreProgram {
  /// The warnings about dropped values that don't agree with the relationship they stand for.
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
            code: "link-unknown", rows: tally.unmatched[place],
            message:
              "'\(drop.object)' doesn't identify a row, and there is no link; the link stays empty"),
        ].filter { $0.rows > 0 }
      }
    }
  }
}
