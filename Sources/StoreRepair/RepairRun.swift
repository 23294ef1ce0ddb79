import Migrations
import Platform
import SQLite
import StoreAccess
import StoreDiagnosis
import StoreExchange
import StoreFormat
import StoreMigration
import StoreModel
import StoreProof

/// One run of a repair, on a store that only this process can write to.
///
/// The letters in comments are those of the protocol in `Durability.md`.
struct RepairRun {
  let pass: RepairPass

  /// The XXH128 of the rollback journal that `CrashCleanup` removed; `nil` if there was none.
  let foundJournal: String?

  /// When the run began.
  let start: ContinuousClock.Instant

  /// What a run did, or would do.
  struct Outcome {
    let chosen: ChosenModel
    let account: RepairAccount
    let ledger: [TableAccount]
    var left: [Diagnosis.Cause]

    /// The snapshot; `nil` if nothing was mended.
    var snapshot: SnapshotFolder?
  }

  /// Repairs a copy, proves it, and exchanges it for the store.
  func carryOut(on store: consuming ExclusiveStore) throws -> Outcome {
    try store.checkRoom(typed: pass.path)
    let damage = try pass.damage(store.connection, store.file)
    let chosen = try pass.chosenModel(store.connection, damage)
    let name = chosen.version.name
    let replacement = try Replacement(
      of: store, typed: pass.path,
      by: Replacement.Run(
        tool: toolName, kind: .repair, app: chosen.version.app, from: name, to: name,
        foundJournal: foundJournal, start: start))
    let snapshot = replacement.snapshot
    try snapshot.createWorkFile()
    let account = try mend(
      snapshot.file(.work), copying: replacement.store.connection, damage?.knowing(chosen), chosen)
    guard !account.mends.isEmpty else {
      let left = try pass.left(chosen, replacement.store.connection)
      try replacement.cancel()
      return Outcome(chosen: chosen, account: account, ledger: [], left: left)
    }
    var (draft, outcome) = try prove(chosen, account, in: snapshot, replacement.store)
    outcome.snapshot = snapshot
    try replacement.exchange(draft)
    return outcome
  }

  /// Repairs a copy of the store in the work file.
  ///
  /// Nothing is synced before the exchange, because an incomplete work file is discarded (e). The
  /// journal is a file nevertheless: in memory, it would grow with the number of changed pages.
  private func mend(
    _ work: NestedFile, copying store: borrowing Connection, _ damage: Salvage?,
    _ chosen: ChosenModel
  ) throws -> RepairAccount {
    let copy = try Connection.open(work, mode: .readWrite)
    try copy.keepLittleInMemory()
    try copy.execute(
      "PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE; PRAGMA secure_delete = ON")
    let saved = try pass.fill(copy, from: store, damage)
    // The pages have the store's journal mode. In WAL mode, an error of the checkpoint on close
    // would go unreported.
    try copy.execute("PRAGMA journal_mode = DELETE")
    return try pass.mend(to: chosen, damage == nil ? nil : saved, copy)
  }

  private static let schema = "repaired"

  /// Checks the new file alone, and compares its rows with those of the store.
  private func prove(
    _ chosen: ChosenModel, _ account: RepairAccount, in snapshot: SnapshotFolder,
    _ store: borrowing ExclusiveStore
  ) throws -> (Replacement.Draft, Outcome) {
    let (left, after, layout) = try check(snapshot.file(.work), chosen)
    // Compare with the file, not with pages that may have been read wrongly.
    store.connection.forgetPages()
    try store.connection.attach(snapshot.file(.work), as: Self.schema, mode: .immutable)
    let ledger = try RepairProof(
      path: pass.path, old: "main", new: Self.schema, account: account
    ).ledger(layout, store.connection)
    try store.connection.detach(Self.schema)
    let before = (try? contentHash(of: store.connection)) ?? "torn"
    let draft = Replacement.Draft(
      written: try store.finish(snapshot), digest: chosen.version.hashes.digest,
      contentBefore: before, contentHash: after,
      rowsWritten: ledger.reduce(0) { $0 + $1.changed + $1.removed }, details: .withoutPlan)
    return (draft, Outcome(chosen: chosen, account: account, ledger: ledger, left: left))
  }

  /// Checks the new file, and returns what is left, and the content hash of its rows.
  private func check(
    _ work: NestedFile, _ chosen: ChosenModel
  ) throws -> ([Diagnosis.Cause], String, StoreLayout) {
    let file = try Connection.open(work, mode: .immutable)
    try file.keepLittleInMemory()
    let store = try pass.store(chosen, file)
    let left = try pass.left(chosen, file)
    let failed = left.filter { Self.impossible.contains($0.code) }
    guard failed.isEmpty else {
      throw VerificationError(pass.path, findings: failed.map(\.sentence))
    }
    let layout = pass.layout(chosen, store)
    let hash = try ContentHash(layout: layout, store: store, schema: "main").value(file)
    return (left, hash, layout)
  }

  /// What a repaired store can't have any more: the repair would have failed.
  private static let impossible: Set<CauseCode> = [
    .noMetadata, .badModelCache, .damagedTable, .keysTooLow,
  ]

  /// Returns the content hash of the old store's rows; `nil` if its model doesn't fit its tables.
  private func contentHash(of connection: borrowing Connection) throws -> String? {
    let store = try StoreDescription(reading: connection)
    guard let model = store.cachedModel,
      StructureCheck(store, model: model).disagreements.isEmpty
    else { return nil }
    let layout = store.layout(of: model)
    return try ContentHash(layout: layout, store: store, schema: "main").value(connection)
  }

  /// Reports what a repair would do, without writing to the store or beside it.
  static func look(_ pass: RepairPass, _ store: borrowing Connection) throws -> Outcome {
    let main = SharedFile(try FileDescriptor(opening: pass.files.path))
    let damage = try pass.damage(store, main)
    let chosen = try pass.chosenModel(store, damage)
    let name = chosen.version.name
    if let error = pass.files.obstacles(store, from: name, to: name, typed: pass.path).first {
      throw error
    }
    let copy = try RepairPass.temporary()
    let saved = try pass.fill(copy, from: store, damage?.knowing(chosen))
    let account = try pass.mend(to: chosen, damage == nil ? nil : saved, copy)
    let left = try pass.left(chosen, copy)
    guard !account.mends.isEmpty else {
      return Outcome(chosen: chosen, account: account, ledger: [], left: left)
    }
    let old = "old"
    try copy.attach(path: pass.files.path, as: old, mode: .readOnlyUnshared)
    let layout = pass.layout(chosen, try pass.store(chosen, copy))
    let ledger = try RepairProof(path: pass.path, old: old, new: "main", account: account)
      .ledger(layout, copy)
    return Outcome(chosen: chosen, account: account, ledger: ledger, left: left)
  }
}
