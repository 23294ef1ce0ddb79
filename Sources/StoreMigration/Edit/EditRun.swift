import StoreAccess
import StoreModel
import StoreExchange
import Platform
import SQLite
import StoreFormat
import Migrations
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

  /// Whether to keep a snapshot even if nothing changed.
  let keepsSnapshot: Bool
  let catalog: Catalog

  /// The XXH128 of the rollback journal that ``CrashCleanup`` removed; `nil` if there was none.
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
    try store.checkRoom(typed: path)
    let description = try StoreDescription(reading: store.connection)
    try description.checkEditable(typed: path)
    let version = try Recognition(description, in: catalog)
      .startingVersion(for: MigrationRequest(), of: description, typed: path)
    let replacement = try Replacement(
      of: store, typed: path,
      by: Replacement.Run(
        tool: toolName, kind: .edit, command: command, app: version.app, from: version.name,
        to: version.name, foundJournal: foundJournal, start: start))
    let snapshot = replacement.snapshot
    let (draft, written, result) = try build(
      digest: version.hashes.digest, in: snapshot, from: replacement.store, changes)
    guard keepsSnapshot || !written.isEmpty else {
      try replacement.cancel()
      return (Outcome(version: version, snapshot: nil, changes: []), result)
    }
    try replacement.exchange(draft)
    return (Outcome(version: version, snapshot: snapshot, changes: written), result)
  }

  private func build<Result>(
    digest: String, in snapshot: SnapshotFolder, from store: borrowing ExclusiveStore,
    _ changes: (borrowing Connection) throws -> Result
  ) throws -> (Replacement.Draft, [EntityChange], Result) {
    let description = try StoreDescription(reading: store.connection)
    guard let model = description.cachedModel else {
      throw VersionError.noModel(path, reasons: description.problems)
    }
    try snapshot.createWorkFile()
    let result = try change(snapshot.file(.work), copying: store.connection, changes)
    // Compare with the file, not with pages that may have been read wrongly.
    store.connection.forgetPages()
    let written = try keepRows(in: snapshot, description, store.connection)
    let layout = description.layout(of: model)
    let before = try ContentHash(layout: layout, store: description, schema: "main")
      .value(store.connection)
    let after = try WorkFileCheck(path: path, files: files)
      .contentHash(of: snapshot.file(.work), store.connection) { failures in
        var known = KnownFailures(explaining: failures)
        try known.add(description, schema: "main", files: files, store.connection)
        return known
      }
    let draft = Replacement.Draft(
      written: try store.finish(snapshot), digest: digest, contentBefore: before,
      contentHash: after, rowsWritten: written.reduce(0) { $0 + $1.added + $1.changed },
      details: RunDetails().members)
    return (draft, written, result)
  }

  /// Makes the changes in a copy of the store.
  ///
  /// Nothing is synced before the exchange, because an incomplete work file is discarded (e). The
  /// journal is a file nevertheless: in memory, it would grow with the number of changed pages.
  private func change<Result>(
    _ work: NestedFile, copying store: borrowing Connection,
    _ changes: (borrowing Connection) throws -> Result
  ) throws -> Result {
    let copy = try Connection.open(work, mode: .readWrite)
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
    _ = try snapshot.file(.edited).create()
    try connection.attach(snapshot.file(.work), as: NewStore.schema, mode: .immutable)
    try connection.attach(snapshot.file(.edited), as: EditedRows.schema, mode: .readWrite)
    let changes = try EditComparison(
      path: path, store: description, old: "main", new: NewStore.schema
    ).storeChanges(connection)
    try connection.detach(EditedRows.schema)
    try connection.detach(NewStore.schema)
    try snapshot.file(.edited).open(for: .updating).synchronize()
    return changes
  }
}
