import StoreModel
import StoreExchange
import Platform
import SQLite
import StoreFormat
import Migrations
import StoreAccess
import RowRewriting
import OutboxConversion
import StoreProof

/// One run of apply, on a store that only this process can write to.
///
/// The letters in comments are those of the protocol in `Durability.md`.
struct ApplyRun {
  /// The path as it was typed.
  let path: String
  let files: StoreFiles
  let route: Route
  let request: MigrationRequest

  /// The plan to carry out; `nil` if the run migrates the store without a saved plan.
  let plan: PlanFile?
  let catalog: Catalog

  /// The description of the store that was read before the store was locked.
  let seen: StoreDescription

  /// The warnings about the store's files as they were found.
  let fileWarnings: [PlanWarning]

  /// The XXH128 of the rollback journal that ``CrashCleanup`` removed; `nil` if there was none.
  let foundJournal: String?

  /// When the run began.
  let start: ContinuousClock.Instant

  /// What the run did.
  struct Outcome {
    let snapshot: SnapshotFolder
    let rowsWritten: Int64
    let conversions: [PlannedConversion]
    let losses: [PlannedLoss]
    let ledger: [LedgerEntry]

    /// The counts of outbox rows by outcome; `nil` unless the run wrote deliverable rows.
    let delivery: DeliveryCounts?

    /// The warnings of a plan of the same run.
    let warnings: [PlanWarning]

    /// Notes for the report about values that earlier rollbacks parked.
    let notes: [String]
  }

  /// Builds the new store, proves it, and exchanges it for the old one.
  func carryOut(
    on store: consuming ExclusiveStore, _ progress: (ApplyPhase) -> Void
  ) throws -> Outcome {
    try store.checkRoom(typed: path)
    // They are read last, when the new store is built.
    try files.checkParkedFiles()
    try checkPlan(store)
    let replacement = try Replacement(
      of: store, typed: path,
      by: Replacement.Run(
        tool: toolName, kind: .apply, app: route.source.app, from: route.source.name,
        to: route.target.name, foundJournal: foundJournal, start: start))
    let snapshot = replacement.snapshot
    let (draft, outcome) = try build(in: snapshot, from: replacement.store, progress)
    progress(.exchanging)
    try replacement.exchange(draft)
    return outcome
  }

  /// What was written into the work file, counted as a plan counts it.
  struct Written {
    let store: StoreDescription
    let program: StoreProgram
    let rows: WrittenRows
    let steps: [PlannedStep]
    let conversions: [PlannedConversion]
    let losses: [PlannedLoss]
    let warnings: [PlanWarning]

    /// How the work file was made of a copy of the old file; `nil` if it is new.
    let copied: CopiedFile?
  }

  /// The rows in the work file, and the file that they were made of.
  struct WrittenRows {
    let tallies: [String: Tally]

    /// The counts of outbox rows by outcome; `nil` unless the run wrote deliverable rows.
    let delivery: DeliveryCounts?

    /// The hash of the old store's main file.
    let mainHash: String

    /// The warnings about the rows of a documented outbox.
    let warnings: [PlanWarning]
  }

  /// Writes the new store into the work file, then refuses what only the rows show (a).
  func write(
    in snapshot: SnapshotFolder, from store: borrowing ExclusiveStore,
    beginningAs origin: MigrationRequest.FileOrigin?
  ) throws -> Written {
    let description = try recheck(store)
    let planner = Planner(
      route: route, request: request, store: description, files: files, fileWarnings: fileWarnings)
    try MirroredMigration(description, route)?.check(request, typed: path, store.connection)
    let owner = try planner.owner(store.connection)
    let program = try planner.program(options: owner.options)
    let new = NewStore(program: program, store: description, target: route.target)
    let copied = try copiedFile(for: new, beginningAs: origin, from: store)
    let written: Written
    do {
      let rows = try writeRows(
        new, copied?.plan, in: snapshot, from: store,
        // A saved plan has the warnings already.
        reading: plan == nil ? OutboxWarnings(program, owner: owner.value) : nil)
      let counts = try planner.rowCounts(of: program, rows.tallies, store.connection)
      let losses = try planner.losses(program, rows.tallies, counts, store.connection)
      try refuse(planner, program, rows.tallies, losses, owner: owner, store.connection)
      written = Written(
        store: description, program: program, rows: rows, steps: planner.steps(counts, losses),
        conversions: try program.conversions(rows.tallies, store.connection),
        losses: losses.filter { $0.rows > 0 },
        warnings: try warnings(
          planner.warnings(
            program, rows.tallies, owner: owner,
            ofRows: rows.warnings + planner.storeWarnings(store.connection), rows.delivery)),
        copied: copied)
      try checkPlan(written)
      try setAside(program, in: snapshot, store.connection)
    } catch {
      throw try ending(error, isCopied: copied != nil, program, store.connection)
    }
    // The proof must read the files, not the pages that this connection has cached (e).
    try store.connection.detach(NewStore.schema)
    store.connection.forgetPages()
    return written
  }

  /// Returns the warnings to report: those of the saved plan if there is one, else the given ones.
  private func warnings(_ own: [PlanWarning]) -> [PlanWarning] {
    guard let plan else { return own }
    // Those about files name the files of the store that the plan was made for.
    let codes: Set = ["missing-log", "unfinished-log", Finding.Check.externalData.rawValue]
    return fileWarnings
      + own.filter { codes.contains($0.code) && !fileWarnings.contains($0) }
      + plan.plan.warnings.filter { !codes.contains($0.code) }
  }

  /// Returns the error for rows that break a unique index, with their names; any other unchanged.
  ///
  /// Called before the rows are rolled back.
  func naming(
    _ error: any Error, _ program: StoreProgram, _ connection: borrowing Connection
  ) -> any Error {
    guard let cause = error as? SQLiteError, cause.isConstraint,
      let conflict = try? program.uniqueConflicts(in: NewStore.schema, connection).first
    else { return error }
    return StoreAccessError.brokenRule(path, rule: conflict.rule)
  }

  /// Creates the work file and writes the rows into it, and hashes the old file at the same time.
  ///
  /// The second thread also counts what the report warns about. A store with a log has no second
  /// connection for that.
  private func writeRows(
    _ new: NewStore, _ plan: CopyPlan?, in snapshot: SnapshotFolder,
    from store: borrowing ExclusiveStore, reading outbox: OutboxWarnings?
  ) throws -> WrittenRows {
    var delivered: DeliveryCounts?
    let new = new.writingDeliverableRows { delivered = $0 }
    let second = try store.secondConnection
    // Nobody else can write to the old file.
    var (tallies, (mainHash, seen)) = try concurrently(
      {
        try createWorkFile(in: snapshot, from: store, isCopied: plan != nil)
        return try plan.map { try new.change($0, store.connection) } ?? new.write(store.connection)
      },
      { [file = store.file, target = route.target] in
        // The new store's model cache is written last: it needn't be made first.
        _ = try target.modelCache()
        let hash = try file.descriptor.hash()
        var seen = outbox
        try second?.withConnection { try seen?.readSmall($0) }
        return (hash, seen)
      })
    if second == nil { try seen?.readSmall(store.connection) }
    try seen?.readLarge(store.connection)
    return WrittenRows(
      tallies: tallies, delivery: delivered, mainHash: mainHash,
      warnings: seen?.warnings ?? [])
  }

  /// Proves the new store, and puts parked values back into it.
  func prove(
    _ written: Written, in snapshot: SnapshotFolder, against store: borrowing ExclusiveStore
  ) throws -> (Replacement.Draft, Outcome) {
    let (program, rows) = (written.program, written.rows)
    let proof = try Proof(
      program: program, source: written.store, target: route.target, files: files,
      setAside: SetAside(snapshot), copied: written.copied
    ).prove(
      snapshot.file(.work), header: store.finishedHeader(of: snapshot),
      against: store.connection, secondConnection: try store.secondConnection, typed: path)
    try checkDelivery(rows.delivery, proof.delivery)
    let returned = try ParkedReturn(
      path: path, files: files, source: written.store, target: route.target, snapshot: snapshot,
      program: program
    ).carryOut(store.connection)
    let outcome = Outcome(
      snapshot: snapshot, rowsWritten: rows.tallies.rowsWritten,
      conversions: written.conversions, losses: written.losses,
      ledger: proof.ledger, delivery: rows.delivery, warnings: written.warnings,
      notes: returned?.notes ?? [])
    let restored = returned?.hash ?? nil
    let draft = Replacement.Draft(
      written: try store.finish(snapshot, hash: restored == nil ? proof.fileHash : nil),
      digest: route.target.hashes.digest,
      contentBefore: try restored == nil
        ? proof.contentBefore
        : ContentHash(layout: program.sourceLayout, store: written.store, schema: "main")
          .value(store.connection),
      contentHash: restored ?? proof.contentHash,
      // Parked rows may have returned to a table that stayed on its pages.
      carried: restored == nil ? proof.carried : [],
      rowsWritten: outcome.rowsWritten, details: details(written, outcome).members,
      mainHash: rows.mainHash)
    return (draft, outcome)
  }

  private func details(_ written: Written, _ outcome: Outcome) -> RunDetails {
    RunDetails(
      request: request,
      migrations: Dictionary(
        route.migrations.map { ($0.name, $0.checksum) }, uniquingKeysWith: { first, _ in first }),
      plan: RunDetails.PlanRecord(
        steps: written.steps, conversions: outcome.conversions, losses: outcome.losses),
      ledger: outcome.ledger, delivery: outcome.delivery,
      fileOrigin: written.copied == nil ? .new : .copy)
  }
}

// MARK: - Rows that aren't written

extension ApplyRun {
  /// Saves the outbox rows that aren't written, in files of the snapshot's folder.
  private func setAside(
    _ program: StoreProgram, in snapshot: SnapshotFolder, _ connection: borrowing Connection
  ) throws {
    guard let (rows, _) = program.delivery else { return }
    try SetAsideFile(snapshot.file(.setAside)).write(connection)
    let header = QuarantineHeader(
      app: route.source.app, from: route.source.name, to: route.target.name)
    try QuarantineFile(snapshot.file(.quarantine))
      .write(rows, header, connection, schema: "main")
  }

  /// Checks that the writing and the proof counted the same outbox rows.
  private func checkDelivery(
    _ written: DeliveryCounts?, _ proven: DeliveryCounts?
  ) throws(VerificationError) {
    guard let written else { return }
    let isSame =
      proven?.rows == written.rows && proven?.delivered == written.delivered
      && proven?.quarantined == written.quarantined && proven?.cancelled == written.cancelled
      && proven?.folded == written.folded
    guard isSame, written.addsUp else {
      throw VerificationError(path, findings: ["the counts of outbox rows don't add up"])
    }
  }
}
