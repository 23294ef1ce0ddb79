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

/// One run of rollback.
///
/// Checks the snapshot, sees what was written since, builds the old version's store, and exchanges
/// as apply does.
struct RollbackRun {
  /// The path as it was typed.
  let path: String
  let files: StoreFiles

  /// The snapshot to go back to, with its receipt.
  let snapshot: SnapshotFolder
  let receipt: Receipt

  /// What becomes of later writes; `nil` if they are a reason to refuse.
  let laterWrites: LaterWrites?
  let catalog: Catalog

  /// The SHA-256 of the journal of an interrupted write, which the run rolled back first.
  let foundJournal: String?

  /// When the run began.
  let start: ContinuousClock.Instant

  /// What the run did, or would do.
  struct Outcome {
    /// The version that the store was at.
    var from = ""

    /// What was written since, by entity.
    var changes: [EntityChange] = []

    /// What came back of it, by the old version's entities.
    var merged: [EntityChange] = []

    /// What has no place in the old version, by property or entity.
    var parked: [String: Int64] = [:]

    /// The logical hashes of the store before and after.
    var contentBefore = ""
    var contentAfter = ""

    /// The digest of the entity hashes afterwards.
    var digest = ""

    /// The folder that keeps the present store.
    var kept: SnapshotFolder?

    /// A Boolean value indicating whether the store becomes what the snapshot keeps.
    var isExact = true
  }

  /// Puts the old version's store in place (g).
  func carryOut() throws -> Outcome {
    let store = try ExclusiveStore.take(files, typed: path)
    // The snapshot was chosen before the lock was taken: another run may have used it up since.
    guard try snapshot.receipt() == receipt else {
      throw StoreAccessError.inUse(path, holders: [])
    }
    let present = try StoreDescription(reading: store.connection)
    let replacement = try Replacement(
      of: store, typed: path,
      by: Replacement.Run(
        tool: toolName, kind: .rollback, app: receipt.app, from: name(of: present),
        to: receipt.from, foundJournal: foundJournal, start: start))
    let (draft, outcome) = try build(in: replacement.snapshot, from: replacement.store, present)
    try replacement.exchange(draft)
    return outcome
  }

  /// The version that the store is at: where the snapshot's apply left it, unless others came later.
  func name(of present: StoreDescription) -> String {
    present.metadata?.hashes?.digest == receipt.digest
      ? receipt.to : Recognition(present, in: catalog).version?.name ?? "present"
  }
}
