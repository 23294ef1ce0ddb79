import Platform
import SQLite
import StoreFormat
import StoreModel

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

  /// What the run did.
  struct Outcome {
    let snapshot: SnapshotFolder
    let rowsWritten: Int64
    let conversions: [PlannedConversion]
    let losses: [PlannedLoss]
    let ledger: [LedgerEntry]
  }

  /// Builds the new store, proves it, and exchanges it for the old one.
  func carryOut(
    on store: consuming ExclusiveStore, _ progress: (ApplyPhase) -> Void
  ) throws -> Outcome {
    let snapshot: SnapshotFolder
    let draft: Draft
    do {
      try checkFiles(store)
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
    try Exchange(run: self, snapshot: snapshot, draft: draft).carryOut(on: store)
    return draft.outcome
  }

  private func createSnapshot() throws(MigrationError) -> SnapshotFolder {
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
    let written: Receipt.FileRecord
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
    let new = NewStore(program: program, store: description, target: route.target)
    // A connection that was opened to update a file may not create another.
    try FileSystem.create(snapshot.workFile, [])
    try store.connection.attach(path: snapshot.workFile, as: NewStore.schema, mode: .readWrite)
    let tallies: [String: Tally]
    let losses: [PlannedLoss]
    do {
      tallies = try new.write(store.connection)
      losses = try planner.losses(
        program, tallies, planner.rowCounts(of: program, store.connection), store.connection)
      try refuse(program, tallies, losses, owner: owner)
      try plan?.check(
        rowsWritten: tallies.rowsWritten, program.conversions(tallies),
        losses.filter { $0.rows > 0 })
    } catch {
      try? store.connection.rollback()
      throw error
    }
    // The proof reads the file, not what this connection remembers of it.
    try store.connection.detach(NewStore.schema)
    progress(.proving)
    let proof = try Proof(program: program, source: description, target: route.target, files: files)
      .prove(snapshot.workFile, against: store.connection, typed: path)
    let outcome = Outcome(
      snapshot: snapshot, rowsWritten: tallies.rowsWritten,
      conversions: program.conversions(tallies), losses: losses.filter { $0.rows > 0 },
      ledger: proof.ledger)
    return Draft(
      outcome: outcome, written: try finish(snapshot.workFile, like: store),
      contentHash: proof.contentHash)
  }

  /// The receipt of the run, still pending.
  func receipt(for draft: Draft, found: Exchange.Found) -> Receipt {
    Receipt(
      state: .pending, app: route.source.app, from: route.source.name, to: route.target.name,
      time: WallClock.now().text, store: files.name, tool: "outbox-migrate \(toolVersion)",
      request: request,
      migrations: Dictionary(
        route.migrations.map { ($0.name, $0.checksum) }, uniquingKeysWith: { first, _ in first }),
      found: found.main, foundWAL: found.walHash, snapshotHash: found.snapshotHash,
      header: found.header, written: draft.written, restored: nil,
      digest: route.target.hashes.digest, contentHash: draft.contentHash, external: found.external,
      rowsWritten: draft.outcome.rowsWritten,
      ledger: draft.outcome.ledger)
  }

  /// Gives the new file the old one's header mode and attributes, and brings it to the disk.
  private func finish(
    _ work: String, like store: borrowing ExclusiveStore
  ) throws -> Receipt.FileRecord {
    let file = try FileDescriptor(opening: work, for: .updating)
    // Bytes 18 and 19 say rollback journal (1) or write-ahead log (2):
    // <https://www.sqlite.org/fileformat.html#file_format_version_numbers>
    try file.write(try store.descriptor.read(2, at: 18), at: 18)
    try file.copyAttributes(of: store.descriptor, [.owner, .permissions, .extendedAttributes])
    try file.synchronize()
    return Receipt.FileRecord(
      identity: try file.status().identity, hash: Hexadecimal.encode(try file.sha256()))
  }
}

// MARK: - Refusals

extension ApplyRun {
  private func checkFiles(_ store: borrowing ExclusiveStore) throws {
    let status = try store.descriptor.status()
    guard status.linkCount == 1 else {
      throw MigrationError.hasOtherLinks(path, count: UInt64(status.linkCount))
    }
    let folder = files.externalDataFolder
    guard FileSystem.exists(folder) else { return }
    for name in try FileSystem.list(folder) {
      let kind = try FileStatus(of: "\(folder)/\(name)", followingLinks: false).kind
      guard kind == .regular else {
        throw MigrationError.unsupported(
          path, reasons: ["'\(files.supportFolderName)' holds something that is no file"])
      }
    }
  }

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
    let version = try Recognition(description, in: catalog)
      .startingVersion(for: request, of: description, typed: path)
    guard version == route.source else { throw MigrationError.inUse(path, holders: []) }
    return description
  }

  private func refuse(
    _ program: StoreProgram, _ tallies: [String: Tally], _ losses: [PlannedLoss],
    owner: OwnerOption
  ) throws {
    if program.missingOptions(tallies)[.userID] ?? 0 > 0 {
      throw MigrationError.userIDNeeded(candidates: owner.candidates)
    }
    try request.checkAcceptedLosses(among: losses)
    try request.checkAllAccepted(losses)
  }
}
