import StoreExchange
import Platform
import SQLite
import StoreFormat
import StoreModel
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

  /// The SHA-256 of the rollback journal that ``CrashCleanup`` removed; `nil` if there was none.
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

    /// Notes for the report about values that earlier rollbacks parked.
    let notes: [String]
  }

  /// Builds the new store, proves it, and exchanges it for the old one.
  func carryOut(
    on store: consuming ExclusiveStore, _ progress: (ApplyPhase) -> Void
  ) throws -> Outcome {
    let replacement = Replacement(
      path: path, files: files, tool: toolName, kind: .apply, foundJournal: foundJournal,
      start: start)
    return try replacement.carryOut(
      on: store,
      check: { store in
        try store.checkRoom(typed: path)
        try checkPlan(store)
        let (source, target) = (route.source, route.target)
        return (.init(app: source.app, from: source.name, to: target.name), ())
      },
      build: { store, snapshot, versions, _ in
        progress(.writing)
        let written = try write(in: snapshot, from: store)
        progress(.proving)
        let (draft, outcome) = try prove(written, versions, in: snapshot, against: store)
        progress(.exchanging)
        return (draft, outcome)
      })
  }

  /// What was written into the work file, counted as a plan counts it.
  private struct Written {
    let store: StoreDescription
    let program: StoreProgram
    let tallies: [String: Tally]
    let steps: [PlannedStep]
    let losses: [PlannedLoss]

    /// The counts of outbox rows by outcome; `nil` unless the run wrote deliverable rows.
    let delivery: DeliveryCounts?

    /// The hashes of the old store's main file.
    let mainHashes: FileHashes
  }

  /// Writes the new store into the work file, then refuses what only the rows show (a).
  private func write(
    in snapshot: SnapshotFolder, from store: borrowing ExclusiveStore
  ) throws -> Written {
    let description = try recheck(store)
    let planner = Planner(route: route, request: request, store: description, files: files)
    let owner = try planner.owner(store.connection)
    let program = try planner.program(options: owner.options)
    var delivered: DeliveryCounts?
    let new = NewStore(program: program, store: description, target: route.target)
      .delivering { delivered = $0 }
    try snapshot.createWorkFile()
    try store.connection.attach(
      path: snapshot.path(of: .work), as: NewStore.schema, mode: .readWriteAlone)
    let written: Written
    do {
      // No other process can write to the old file, so it can be hashed while it is read.
      let (tallies, mainHashes) = try concurrently(
        { try new.write(store.connection) },
        { [file = store.file, target = route.target] in
          // The new store needs its model cache only at the end: compute it here in the meantime.
          _ = try target.modelCache()
          return try file.descriptor.hashes()
        })
      let counts = try planner.rowCounts(of: program, tallies, store.connection)
      let losses = try planner.losses(program, tallies, counts, store.connection)
      try refuse(program, tallies, losses, owner: owner)
      written = Written(
        store: description, program: program, tallies: tallies, steps: planner.steps(counts),
        losses: losses.filter { $0.rows > 0 }, delivery: delivered, mainHashes: mainHashes)
      try plan?.check(
        rowsWritten: tallies.rowsWritten, delivered, program.conversions(tallies),
        written.losses)
      try setAside(program, in: snapshot, store.connection)
    } catch {
      try? store.connection.rollback()
      throw error
    }
    // The proof must read the files, not the pages that this connection has cached (e).
    try store.connection.detach(NewStore.schema)
    store.connection.forgetPages()
    return written
  }

  /// Proves the new store, then restores parked values into it.
  private func prove(
    _ written: Written, _ versions: Replacement.Versions, in snapshot: SnapshotFolder,
    against store: borrowing ExclusiveStore
  ) throws -> (Replacement.Draft, Outcome) {
    let (program, tallies) = (written.program, written.tallies)
    let proof = try Proof(
      program: program, source: written.store, target: route.target, files: files,
      setAside: SetAside(snapshot)
    ).prove(
      snapshot.path(of: .work), header: store.finishedHeader(of: snapshot),
      against: store.connection, helper: try store.helper, typed: path)
    try checkDelivery(written.delivery, proof.delivery)
    let returned = try ParkedReturn(
      path: path, files: files, source: written.store, target: route.target, snapshot: snapshot,
      program: program
    ).carryOut(store.connection)
    let outcome = Outcome(
      snapshot: snapshot, rowsWritten: tallies.rowsWritten,
      conversions: program.conversions(tallies), losses: written.losses, ledger: proof.ledger,
      delivery: written.delivery, notes: returned?.notes ?? [])
    let draft = Replacement.Draft(
      versions: versions,
      written: try store.finish(
        snapshot, hashes: returned?.hash == nil ? proof.fileHashes : nil),
      digest: route.target.hashes.digest, contentBefore: proof.contentBefore,
      contentHash: (returned?.hash ?? nil) ?? proof.contentHash,
      rowsWritten: tallies.rowsWritten, details: details(written.steps, outcome).members,
      mainHashes: written.mainHashes)
    return (draft, outcome)
  }

  private func details(_ steps: [PlannedStep], _ outcome: Outcome) -> RunDetails {
    RunDetails(
      request: request,
      migrations: Dictionary(
        route.migrations.map { ($0.name, $0.checksum) }, uniquingKeysWith: { first, _ in first }),
      plan: RunDetails.PlanRecord(
        steps: steps, conversions: outcome.conversions, losses: outcome.losses),
      ledger: outcome.ledger, delivery: outcome.delivery)
  }
}

// MARK: - Rows that aren't written

extension ApplyRun {
  /// Saves the outbox rows that aren't written, in files of the snapshot's folder.
  private func setAside(
    _ program: StoreProgram, in snapshot: SnapshotFolder, _ connection: borrowing Connection
  ) throws {
    guard let (rows, _) = program.delivery else { return }
    try FatesFile(path: snapshot.path(of: .setAside)).write(connection)
    let header = QuarantineHeader(
      app: route.source.app, from: route.source.name, to: route.target.name)
    try QuarantineFile(path: snapshot.path(of: .quarantine))
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

// MARK: - Refusals

extension ApplyRun {
  /// Refuses a plan whose rows have changed, or whose losses aren't all accepted.
  private func checkPlan(_ store: borrowing ExclusiveStore) throws {
    guard let plan else { return }
    let planner = Planner(
      route: route, request: request, store: try recheck(store), files: files)
    let owner = try planner.owner(store.connection)
    try plan.check(
      planner.program(options: owner.options), readsOwner: planner.readsOwner, store.connection)
    // The plan lists the losses, so they can be refused before a new store is written.
    try request.checkAllAccepted(plan.plan.losses)
  }

  /// Reads the store's description again under the lock; refuses another version (b).
  private func recheck(_ store: borrowing ExclusiveStore) throws -> StoreDescription {
    let description = try StoreDescription(reading: store.connection)
    if description == seen { return description }
    let version = try Recognition(description, in: catalog)
      .startingVersion(for: request, of: description, typed: path)
    guard version == route.source else { throw StoreAccessError.inUse(path, holders: []) }
    return description
  }

  private func refuse(
    _ program: StoreProgram, _ tallies: [String: Tally], _ losses: [PlannedLoss],
    owner: OwnerOption
  ) throws {
    if program.missingOptions(tallies)[.userID] ?? 0 > 0 {
      throw RequestError.userIDNeeded(candidates: owner.candidates)
    }
    try request.checkAcceptedLosses(among: losses)
    try request.checkAllAccepted(losses)
  }
}
