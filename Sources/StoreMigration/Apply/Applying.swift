import StoreAccess
import StoreExchange
import Platform
import StoreFormat
public import Migrations
import RowRewriting
import StoreProof

extension StoreMigrator {
  /// Migrates a store: snapshot, new file, proof, exchange.
  ///
  /// Follows the protocol in `Durability.md`: at every instant, the store at the path is the whole
  /// old or the whole new one. Nothing of the store changes before the new one is proven.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - request: The target and the options.
  ///   - lockTimeout: How long to wait for other processes to release the store; `nil` for half a
  ///     second.
  ///   - progress: A closure to call at the beginning of each phase.
  /// - Returns: What was done; the snapshot's path is `nil` if there was nothing to do.
  /// - Throws: A ``MigrationError``. The old store is then at the path with all its rows. Its log
  ///   may be folded into the main file, and an interrupted write or run may have been cleaned up.
  ///   After `ExchangeError.unfinished(_:_:)`, the new store is at the path.
  public func apply(
    to path: String, _ request: MigrationRequest = MigrationRequest(),
    lockTimeout: Duration? = nil, progress: (ApplyPhase) -> Void = { _ in }
  ) throws(MigrationError) -> ApplyReport {
    try carryOut(on: path, request, plan: nil, lockTimeout: lockTimeout, progress)
  }

  /// Carries out a saved plan exactly.
  ///
  /// - Parameters:
  ///   - plan: The plan. If it names a schema file, its request has the schema.
  ///   - path: The path of the store's main file.
  ///   - lockTimeout: How long to wait for other processes to release the store; `nil` for half a
  ///     second.
  ///   - progress: A closure to call at the beginning of each phase.
  /// - Returns: What was done, with the plan's counts.
  /// - Throws: ``RequestError/stalePlan(_:)`` if anything that the plan was made from has changed;
  ///   another ``MigrationError`` as for ``apply(to:_:lockTimeout:progress:)``.
  package func apply(
    _ plan: PlanFile, to path: String, lockTimeout: Duration? = nil,
    progress: (ApplyPhase) -> Void = { _ in }
  ) throws(MigrationError) -> ApplyReport {
    var request = plan.request
    // The newest version may have changed since, so use the plan's target.
    if request.schema == nil { request.target = plan.plan.to }
    return try carryOut(on: path, request, plan: plan, lockTimeout: lockTimeout, progress)
  }

  private func carryOut(
    on path: String, _ request: MigrationRequest, plan: PlanFile?, lockTimeout: Duration?,
    _ progress: (ApplyPhase) -> Void
  ) throws(MigrationError) -> ApplyReport {
    try reported(path) {
      let clock = ContinuousClock()
      let start = clock.now
      try plan?.checkTool()
      let files = try StoreFiles(resolving: path)
      var found = CrashCleanup()
      return try StoreFiles.waiting(for: path, timeout: lockTimeout) {
        try found.run(on: files, typed: path)
        if let outbox = try documentedOutbox(at: path, request) {
          return try again(on: path, request, plan: plan, outbox, notes: found.notes) {
            () throws(MigrationError) in
            try carryOut(on: path, request, plan: plan, lockTimeout: lockTimeout, progress)
          }
        }
        let (route, seen, warnings) = try Self.route(
          for: path, request, plan: plan, catalog: catalog)
        guard !route.migrations.isEmpty else {
          return ApplyReport(
            nothingToDoAt: path, route: route,
            warnings: warnings + [route.editionWarning(request)].compactMap(\.self),
            notes: found.notes)
        }
        let store = try ExclusiveStore.take(files, typed: path)
        let run = ApplyRun(
          path: path, files: files, route: route, request: request, plan: plan, catalog: catalog,
          seen: seen, fileWarnings: warnings, foundJournal: found.journal, start: start)
        let outcome = try run.carryOut(on: store, progress)
        return ApplyReport(
          path: path, route: route, outcome: outcome, duration: clock.now - start,
          notes: found.notes)
      }
    }
  }

  private func documentedOutbox(
    at path: String, _ request: MigrationRequest
  ) throws -> DocumentedOutbox? {
    guard request.rows == .deliverable else { return nil }
    return try DocumentedOutbox(
      of: StoreInspection(path: path, catalog: catalog), request, catalog)
  }

  /// Takes a store with documented rows back to what they were made from, and migrates it again.
  ///
  /// What options can remove is refused before. If the migration fails, the store with documented
  /// rows returns. At every instant, one of the three stores is at the path, whole.
  private func again(
    on path: String, _ request: MigrationRequest, plan: PlanFile?, _ outbox: DocumentedOutbox,
    notes: [String], _ migrate: () throws(MigrationError) -> ApplyReport
  ) throws -> ApplyReport {
    try planned(for: path, request) { planner, connection in
      try MirroredMigration(planner.store, planner.route)?
        .check(request, typed: path, connection)
      let found = try planner.plan(connection)
      if found.warnings.contains(where: { $0.code == "user-id-needed" }) {
        throw RequestError.userIDNeeded(candidates: try planner.owner(connection).candidates)
      }
      try request.checkAllAccepted(found.losses)
    }
    let undone = try rollback(path)
    // The documented store can come back: a stop signal may still end the run.
    StopSignal.beginRun()
    do {
      var report = try migrate()
      report.durationMilliseconds += undone.durationMilliseconds
      report.notes = notes + undone.notes + report.notes
      if !report.warnings.contains(outbox.warning) { report.warnings.insert(outbox.warning, at: 0) }
      return report
    } catch {
      // If the new store is in place already, this is refused. A signal doesn't end it.
      StopSignal.finishingRun { _ = try? rollback(path, to: undone.kept) }
      throw error
    }
  }

  /// Chooses the route, and refuses what can be refused before the store is locked (a).
  ///
  /// Also returns the store's description, which ``ApplyRun`` compares under the lock (b), and the
  /// warnings about its files.
  private static func route(
    for path: String, _ request: MigrationRequest, plan: PlanFile?, catalog: Catalog
  ) throws -> (Route, StoreDescription, [PlanWarning]) {
    let inspection = try StoreInspection(path: path, catalog: catalog)
    let version = try inspection.startingVersion(for: request)
    try plan?.check(version)
    let route = try Route(from: version, to: request, catalog: catalog)
    try plan?.check(route, in: catalog)
    try route.check(request.rows)
    // Even if there is nothing to do: a plan refuses it, too.
    if let userID = request.userID { try OwnerOption.check(userID) }
    if !route.migrations.isEmpty { try route.checkCache() }
    try MirroredMigration(inspection.store, route)?
      .check(request, typed: path, inspection.connection)
    return (route, inspection.store, inspection.warnings)
  }
}

extension ApplyReport {
  init(nothingToDoAt path: String, route: Route, warnings: [PlanWarning], notes: [String]) {
    self.init(
      path: path, app: route.source.app, from: route.source.name, to: route.target.name,
      snapshot: nil, rowsWritten: 0, conversions: [], losses: [], ledger: [], delivery: nil,
      isVerified: true,
      durationMilliseconds: 0, warnings: warnings,
      notes: notes + [route.outOfReachSentence].compactMap(\.self))
  }

  init(
    path: String, route: Route, outcome: ApplyRun.Outcome, duration: Duration, notes: [String]
  ) {
    self.init(
      path: path, app: route.source.app, from: route.source.name, to: route.target.name,
      snapshot: outcome.snapshot.path(beside: path), rowsWritten: outcome.rowsWritten,
      conversions: outcome.conversions, losses: outcome.losses, ledger: outcome.ledger,
      delivery: outcome.delivery,
      isVerified: true, durationMilliseconds: duration.milliseconds,
      warnings: outcome.warnings,
      notes: notes + outcome.notes + [route.outOfReachSentence].compactMap(\.self))
  }
}
