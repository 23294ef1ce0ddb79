import Platform
import SQLite
import StoreFormat
import StoreModel
import Migrations
import StoreAccess
import RowRewriting

/// One run of apply, on a store that this process alone can write.
///
/// The letters are those of the protocol in `Durability.md`.
struct ApplyRun {
  /// The path as it was typed.
  let path: String
  let files: StoreFiles
  let route: Route
  let request: MigrationRequest

  /// The plan that is carried out; none where the store is migrated as it is found.
  let plan: PlanFile?
  let catalog: Catalog

  /// What the store said of itself before it was locked.
  let seen: StoreDescription

  /// The SHA-256 of the journal of an interrupted write, which the run rolled back first.
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

    /// What became of the rows of an outbox that the app delivers; none of any other.
    let delivery: DeliveryCounts?

    /// What to tell of values that earlier rollbacks had parked.
    let notes: [String]
  }

  /// Builds the new store, proves it, and exchanges it for the old one.
  func carryOut(
    on store: consuming ExclusiveStore, _ progress: (ApplyPhase) -> Void
  ) throws -> Outcome {
    let snapshot: SnapshotFolder
    let draft: Draft
    do {
      try store.checkFiles(typed: path)
      try store.checkRoom(typed: path)
      try checkPlan(store)
      snapshot = try createSnapshot()
    } catch {
      // What went wrong is what to tell; a clean-up that fails too leaves what the next run finds.
      try? store.release()
      throw error
    }
    do {
      draft = try build(in: snapshot, from: store, progress)
    } catch {
      // Until here only the snapshot's folder was written to.
      try? snapshot.remove()
      try? store.release()
      throw error
    }
    progress(.exchanging)
    try Exchange(
      files: files, snapshot: snapshot, receipt: { receipt(for: draft, found: $0) },
      mainHashes: draft.mainHashes
    ).carryOut(on: store)
    return draft.outcome
  }

  private func createSnapshot() throws(StoreAccessError) -> SnapshotFolder {
    do {
      return try SnapshotFolder.create(
        for: files, from: route.source.name, to: route.target.name)
    } catch {
      throw .cannotCreate(error)
    }
  }

  /// What was built and proven, ready to take the store's place.
  struct Draft {
    let outcome: Outcome
    let steps: [PlannedStep]

    /// The hashes of the old store's main file.
    let mainHashes: FileHashes
    let written: Receipt.FileRecord
    let contentBefore: String
    let contentHash: String
  }

  private func build(
    in snapshot: SnapshotFolder, from store: borrowing ExclusiveStore,
    _ progress: (ApplyPhase) -> Void
  ) throws -> Draft {
    progress(.writing)
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
    let (tallies, mainHashes): ([String: Tally], FileHashes)
    let losses: [PlannedLoss]
    let counts: [String: Int64]
    do {
      // Nobody else can write to the old file: it is hashed while it is read.
      (tallies, mainHashes) = try concurrently(
        { try new.write(store.connection) },
        { [file = store.file, target = route.target] in
          // The new store's model cache is written last: it needn't be made first.
          _ = try target.modelCache()
          return try file.descriptor.hashes()
        })
      counts = try planner.rowCounts(of: program, tallies, store.connection)
      losses = try planner.losses(program, tallies, counts, store.connection)
      try refuse(program, tallies, losses, owner: owner)
      try plan?.check(
        rowsWritten: tallies.rowsWritten, delivered, program.conversions(tallies),
        losses.filter { $0.rows > 0 })
      try setAside(program, in: snapshot, store.connection)
    } catch {
      try? store.connection.rollback()
      throw error
    }
    // The proof reads the files, not what this connection remembers of them.
    try store.connection.detach(NewStore.schema)
    store.connection.forgetPages()
    progress(.proving)
    let proof = try Proof(
      program: program, source: description, target: route.target, files: files,
      snapshot: snapshot
    ).prove(
      snapshot.path(of: .work), header: store.finishedHeader(of: snapshot),
      against: store.connection, helper: try store.helper, typed: path)
    try checkDelivery(delivered, proof.delivery)
    let returned = try ParkedReturn(
      path: path, files: files, source: description, target: route.target, snapshot: snapshot,
      program: program
    )
    .carryOut(store.connection)
    let outcome = Outcome(
      snapshot: snapshot, rowsWritten: tallies.rowsWritten,
      conversions: program.conversions(tallies), losses: losses.filter { $0.rows > 0 },
      ledger: proof.ledger, delivery: delivered, notes: returned?.notes ?? [])
    return Draft(
      outcome: outcome, steps: planner.steps(counts), mainHashes: mainHashes,
      written: try store.finish(
        snapshot, hashes: returned?.hash == nil ? proof.fileHashes : nil),
      contentBefore: proof.contentBefore,
      contentHash: (returned?.hash ?? nil) ?? proof.contentHash)
  }

  /// The receipt of the run, still pending.
  func receipt(for draft: Draft, found: Exchange.Found) -> Receipt {
    Receipt(
      state: .pending, kind: .apply, command: nil, undone: nil, isUndoneObsolete: false,
      app: route.source.app,
      from: route.source.name, to: route.target.name,
      time: WallClock.now().text, store: files.name, tool: "outbox-migrate \(toolVersion)",
      request: request,
      migrations: Dictionary(
        route.migrations.map { ($0.name, $0.checksum) }, uniquingKeysWith: { first, _ in first }),
      plan: Receipt.PlanRecord(
        steps: draft.steps, conversions: draft.outcome.conversions, losses: draft.outcome.losses),
      found: found.main,
      before: Receipt.Companions(
        wal: found.walHash, journal: foundJournal, external: found.external),
      snapshotHashes: found.snapshotHashes, header: found.header, written: draft.written,
      after: Receipt.Companions(external: found.external), digest: route.target.hashes.digest,
      contentBefore: draft.contentBefore,
      contentHash: draft.contentHash,
      rowsWritten: draft.outcome.rowsWritten,
      durationMilliseconds: (ContinuousClock.now - start).milliseconds,
      ledger: draft.outcome.ledger, delivery: draft.outcome.delivery)
  }
}

// MARK: - Rows that aren't written

extension ApplyRun {
  /// Writes down, beside the snapshot, what isn't in the new store.
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

  /// What was counted while writing must be what the proof counts.
  private func checkDelivery(
    _ written: DeliveryCounts?, _ proven: DeliveryCounts?
  ) throws(VerificationError) {
    guard let written else { return }
    let isSame =
      proven?.rows == written.rows && proven?.delivered == written.delivered
      && proven?.quarantined == written.quarantined && proven?.cancelled == written.cancelled
      && proven?.folded == written.folded
    guard isSame, written.addsUp else {
      throw VerificationError(path, findings: ["the rows of the outbox don't add up"])
    }
  }
}

// MARK: - Refusals

extension ApplyRun {
  /// What a plan was made from must still be there.
  private func checkPlan(_ store: borrowing ExclusiveStore) throws {
    guard let plan else { return }
    let planner = Planner(
      route: route, request: request, store: try recheck(store), files: files)
    let owner = try planner.owner(store.connection)
    try plan.check(
      planner.program(options: owner.options), readsOwner: planner.readsOwner, store.connection)
    // What the plan loses is what would be lost: that needs no new store to be known.
    try request.checkAllAccepted(plan.plan.losses)
  }

  /// What was decided before the lock was taken must still hold under it.
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
