import StoreModel
import StoreExchange
import Platform
import StoreFormat
import Migrations
import StoreAccess
import StoreProof

/// One run of rollback.
///
/// Checks the snapshot, finds what was written since, builds the old version's store, and exchanges
/// it for the present one as apply does. The letters in comments are those of the protocol in
/// `Durability.md`.
struct RollbackRun {
  /// The path as it was typed.
  let path: String
  let files: StoreFiles

  /// The snapshot to go back to, with its receipt.
  let snapshot: SnapshotFolder
  let receipt: Receipt

  /// How to treat later writes; `nil` to refuse if there are any.
  let laterWrites: LaterWrites?
  let catalog: Catalog

  /// The XXH128 of the rollback journal that ``CrashCleanup`` removed; `nil` if there was none.
  let foundJournal: String?

  /// When the run began.
  let start: ContinuousClock.Instant

  /// What the run did, or would do.
  struct Outcome {
    /// The version that the store was at.
    var from = ""

    /// What was written since, by entity.
    var changes: [EntityChange] = []

    /// The part of it that was merged, by the old version's entities.
    var merged: [EntityChange] = []

    /// The number of values and rows without a place in the old version, by property or entity.
    var parked: [String: Int64] = [:]

    /// The number of links that came back, to rows that were deleted since.
    var emptied: Int64 = 0

    /// The number of one-to-one links that didn't come back, because the other row has another.
    var replaced: Int64 = 0

    /// Whether the store has the rows that the run left.
    var isAsLeft = false

    /// The content hashes of the store before and after, and the tables that they leave out.
    var contentBefore = ""
    var contentAfter = ""
    var carried: [String] = []

    /// The digest of the entity hashes afterwards.
    var digest = ""

    /// The snapshot that keeps the present store; `nil` for a dry run.
    var kept: SnapshotFolder?

    /// Whether the new store equals the one that the snapshot keeps.
    var isExact = true
  }

  /// Replaces the store by the old version's (g).
  func carryOut() throws -> Outcome {
    let store = try ExclusiveStore.take(files, typed: path)
    // The snapshot was chosen before the lock was taken: another run may have used it up since.
    guard try snapshot.receipt() == receipt else {
      throw StoreAccessError.inUse(path, holders: [])
    }
    // A store that a repair mended can be rolled back to, and needn't be readable.
    let present = Result { try catalog.completing(StoreDescription(reading: store.connection)) }
    let replacement = try Replacement(
      of: store, typed: path,
      by: Replacement.Run(
        tool: toolName, kind: .rollback, app: receipt.app,
        from: (try? present.get()).map(name) ?? receipt.to,
        to: receipt.from, foundJournal: foundJournal, start: start))
    let (draft, outcome) = try build(in: replacement.snapshot, from: replacement.store, present)
    try replacement.exchange(draft)
    return outcome
  }

  /// Whether the run undoes a rollback, but can't restore the record of the run before that.
  func lacksRecord(_ outcome: Outcome) throws -> Bool {
    try receipt.kind == .rollback
      && (!outcome.isAsLeft
        || RunDetails(of: receipt, snapshot: snapshot.name).plan == nil)
  }

  /// Returns the store's version: the one that the run left, unless the store was migrated since.
  ///
  /// A version that isn't recognised is called `unnamed`.
  func name(of present: StoreDescription) -> String {
    present.metadata?.hashes?.digest == receipt.digest
      ? receipt.to : Recognition(present, in: catalog).version?.name ?? ModelVersion.unnamed
  }
}
