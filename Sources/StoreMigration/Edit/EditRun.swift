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

/// One run of an edit, on a store that only this process can write to.
///
/// The letters in comments are those of the protocol in `Durability.md`.
struct EditRun {
  /// The path as it was typed.
  let path: String
  let files: StoreFiles

  /// The edit's name in receipts, such as `quarantine restore`.
  let command: String

  /// A Boolean value indicating whether to keep a snapshot even if nothing changed.
  let keepsSnapshot: Bool
  let catalog: Catalog

  /// The SHA-256 of the rollback journal that ``CrashCleanup`` removed; `nil` if there was none.
  let foundJournal: String?

  /// When the run began.
  let start: ContinuousClock.Instant

  /// What the run did.
  struct Outcome {
    let version: ModelVersion

    /// The snapshot; `nil` if it wasn't kept, because nothing changed.
    let snapshot: SnapshotFolder?
    let changes: [EntityChange]
  }

  /// Changes a copy, proves it, and exchanges it for the store.
  func carryOut<Result>(
    on store: consuming ExclusiveStore, _ changes: (borrowing Connection) throws -> Result
  ) throws -> (Outcome, Result) {
    let replacement = Replacement(
      path: path, files: files, tool: toolName, kind: .edit, command: command,
      foundJournal: foundJournal,
      start: start)
    return try replacement.carryOut(
      on: store,
      check: { store in
        try store.checkRoom(typed: path)
        let description = try StoreDescription(reading: store.connection)
        let version = try Recognition(description, in: catalog)
          .startingVersion(for: MigrationRequest(), of: description, typed: path)
        return (.init(app: version.app, from: version.name, to: version.name), version)
      },
      build: { store, snapshot, versions, version in
        let (draft, written, result) = try build(
          versions, digest: version.hashes.digest, in: snapshot, from: store, changes)
        let isKept = keepsSnapshot || !written.isEmpty
        return (
          isKept ? draft : nil,
          (
            Outcome(version: version, snapshot: isKept ? snapshot : nil, changes: written), result
          )
        )
      })
  }

  private func build<Result>(
    _ versions: Replacement.Versions, digest: String, in snapshot: SnapshotFolder,
    from store: borrowing ExclusiveStore, _ changes: (borrowing Connection) throws -> Result
  ) throws -> (Replacement.Draft, [EntityChange], Result) {
    let description = try StoreDescription(reading: store.connection)
    guard let model = description.cachedModel else {
      throw VersionError.noModel(path, reasons: description.problems)
    }
    try snapshot.createWorkFile()
    let result = try change(snapshot.path(of: .work), copying: store.connection, changes)
    // Compare with what the store's file holds, not with cached pages, which may have been misread.
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
    let draft = Replacement.Draft(
      versions: versions, written: try store.finish(snapshot), digest: digest,
      contentBefore: before,
      contentHash: after, rowsWritten: written.reduce(0) { $0 + $1.added + $1.changed },
      details: RunDetails().members)
    return (draft, written, result)
  }

  /// Makes the changes in a copy of the store.
  ///
  /// Nothing is synced before the exchange, because an incomplete work file is discarded (e). The
  /// journal is a file nevertheless: in memory, it would grow with the number of changed pages.
  private func change<Result>(
    _ work: String, copying store: borrowing Connection,
    _ changes: (borrowing Connection) throws -> Result
  ) throws -> Result {
    let copy = try Connection(path: work, mode: .readWrite)
    try copy.keepLittleInMemory()
    try copy.execute(
      "PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE; PRAGMA secure_delete = ON")
    try copy.copyPages(of: store)
    // Copying the pages copied the store's journal mode, too. In WAL mode, an error of the
    // checkpoint on close would go unreported.
    try copy.execute("PRAGMA journal_mode = DELETE")
    try copy.rememberIndexes("main", asLargeAs: "main", limit: 8_192)
    return try changes(copy)
  }

  /// Compares the copy with the store, and keeps the rows that the edit wrote in the snapshot.
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
    // The edited rows must be on the disk before anything of the store changes (f.2).
    try snapshot.open().open(SnapshotFolder.Entry.edited.rawValue, for: .updating).synchronize()
    return changes
  }
}
