import Platform
import SQLite
import StoreFormat
import StoreModel
import Migrations
import StoreAccess
import RowRewriting

/// One run of an edit, on a store that this process alone can write.
struct EditRun {
  /// The path as it was typed.
  let path: String
  let files: StoreFiles

  /// What the edit is called.
  let command: String

  /// A Boolean value indicating whether there is a snapshot even where nothing was changed.
  let keepsSnapshot: Bool
  let catalog: Catalog

  /// The SHA-256 of the journal of an interrupted write, which the run rolled back first.
  let foundJournal: String?

  /// When the run began.
  let start: ContinuousClock.Instant

  /// What the run did.
  struct Outcome {
    let version: ModelVersion

    /// The snapshot; none where nothing was changed.
    let snapshot: SnapshotFolder?
    let changes: [EntityChange]
  }

  /// Changes a copy, proves it, and exchanges it for the store.
  func carryOut<Result>(
    on store: consuming ExclusiveStore, _ changes: (borrowing Connection) throws -> Result
  ) throws -> (Outcome, Result) {
    let version: ModelVersion
    let snapshot: SnapshotFolder
    do {
      try store.checkFiles(typed: path)
      try store.checkRoom(typed: path)
      let description = try StoreDescription(reading: store.connection)
      version = try Recognition(description, in: catalog)
        .startingVersion(for: MigrationRequest(), of: description, typed: path)
      snapshot = try createSnapshot(version)
    } catch {
      try? store.release()
      throw error
    }
    let draft: Draft
    let result: Result
    do {
      (draft, result) = try build(in: snapshot, from: store, changes)
    } catch {
      // Until here only the snapshot's folder was written to.
      try? snapshot.remove()
      try? store.release()
      throw error
    }
    guard keepsSnapshot || !draft.changes.isEmpty else {
      try snapshot.remove()
      try store.release()
      return (Outcome(version: version, snapshot: nil, changes: []), result)
    }
    try Exchange(
      files: files, snapshot: snapshot, receipt: { receipt(for: draft, of: version, found: $0) }
    ).carryOut(on: store)
    return (Outcome(version: version, snapshot: snapshot, changes: draft.changes), result)
  }

  private func createSnapshot(_ version: ModelVersion) throws(StoreAccessError) -> SnapshotFolder {
    do {
      return try SnapshotFolder.create(for: files, from: version.name, to: version.name)
    } catch {
      throw .cannotCreate(error)
    }
  }

  /// What was written and proven, ready to take the store's place.
  private struct Draft {
    let changes: [EntityChange]
    let written: Receipt.FileRecord
    let contentBefore: String
    let contentHash: String
  }

  private func build<Result>(
    in snapshot: SnapshotFolder, from store: borrowing ExclusiveStore,
    _ changes: (borrowing Connection) throws -> Result
  ) throws -> (Draft, Result) {
    let description = try StoreDescription(reading: store.connection)
    guard let model = description.cachedModel else {
      throw VersionError.noModel(path, reasons: description.problems)
    }
    try snapshot.createWorkFile()
    let result = try change(snapshot.path(of: .work), copying: store.connection, changes)
    // What was copied is compared with what the store holds, not with what a read once got wrong.
    store.connection.forgetPages()
    let written = try keepRows(in: snapshot, description, store.connection)
    let layout = StoreLayout(model, joinTableNames: description.tableNames)
    let before = try ContentHash(layout: layout, store: description, schema: "main")
      .value(store.connection)
    let after = try WorkFileCheck(path: path, files: files)
      .contentHash(of: snapshot.path(of: .work), store.connection) {
        var known = KnownFailures()
        try known.add(description, schema: "main", files: files, store.connection)
        return known
      }
    let draft = Draft(
      changes: written, written: try store.finish(snapshot), contentBefore: before,
      contentHash: after)
    return (draft, result)
  }

  /// Makes the changes in a copy of the store.
  ///
  /// Syncing doesn't matter before the exchange, because a file that isn't complete is thrown away. The journal
  /// is a file all the same: in memory it would grow with the pages that change.
  private func change<Result>(
    _ work: String, copying store: borrowing Connection,
    _ changes: (borrowing Connection) throws -> Result
  ) throws -> Result {
    let copy = try Connection(path: work, mode: .readWrite)
    try copy.keepLittleInMemory()
    try copy.execute(
      "PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE; PRAGMA secure_delete = ON")
    try copy.copyPages(of: store)
    // The store's mode came with its pages. What a log can't give back when it is closed nobody is told.
    try copy.execute("PRAGMA journal_mode = DELETE")
    try copy.rememberIndexes("main", asLargeAs: "main", limit: 8_192)
    return try changes(copy)
  }

  /// Compares the copy with the store, and keeps in the snapshot what the edit wrote.
  private func keepRows(
    in snapshot: SnapshotFolder, _ description: StoreDescription,
    _ connection: borrowing Connection
  ) throws -> [EntityChange] {
    _ = try snapshot.open().create(SnapshotFolder.Entry.edited.rawValue)
    try connection.attach(path: snapshot.path(of: .work), as: NewStore.schema, mode: .immutable)
    try connection.attach(path: snapshot.path(of: .edited), as: EditedRows.schema, mode: .readWrite)
    let changes = try EditComparison(
      path: path, store: description, old: "main", new: NewStore.schema
    ).keep(connection)
    try connection.detach(EditedRows.schema)
    try connection.detach(NewStore.schema)
    try snapshot.open().open(SnapshotFolder.Entry.edited.rawValue, for: .updating).synchronize()
    return changes
  }

  private func receipt(
    for draft: Draft, of version: ModelVersion, found: Exchange.Found
  ) -> Receipt {
    Receipt(
      state: .pending, kind: .edit, command: command, undone: nil, isUndoneObsolete: false,
      app: version.app, from: version.name, to: version.name, time: WallClock.now().text,
      store: files.name, tool: "outbox-migrate \(toolVersion)", request: MigrationRequest(),
      migrations: [:], plan: nil, found: found.main,
      before: Receipt.Companions(
        wal: found.walHash, journal: foundJournal, external: found.external),
      snapshotHashes: found.snapshotHashes, header: found.header, written: draft.written,
      after: Receipt.Companions(external: found.external), digest: version.hashes.digest,
      contentBefore: draft.contentBefore, contentHash: draft.contentHash,
      rowsWritten: draft.changes.reduce(0) { $0 + $1.added + $1.changed },
      durationMilliseconds: (ContinuousClock.now - start).milliseconds, ledger: [], delivery: nil)
  }
}
