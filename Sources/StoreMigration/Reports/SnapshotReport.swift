package import StoreExchange

/// One snapshot of a store.
public struct SnapshotReport: Hashable, Sendable {
  /// The state of a snapshot, by its receipt or the lack of one.
  public enum State: String, CaseIterable, Hashable, Sendable {
    /// The receipt says that the run is done.
    case done

    /// A killed run left it; the next run that writes completes or discards it.
    case unfinished

    /// The receipt can't be read; the tool leaves the folder alone.
    case unreadable
  }

  /// The folder's name, as `rollback --to` takes it.
  public let name: String

  /// The folder's path.
  public let path: String

  /// The state, by its receipt.
  public let state: State

  /// The receipt; `nil` if it can't be read.
  package let receipt: Receipt?

  /// The size on the disk in bytes, including blocks that other files share.
  public let bytes: Int64

  /// A Boolean value indicating whether `rollback` without `--to` rolls back to it.
  public let isNext: Bool

  /// What changed in the snapshot, in words; `nil` if nothing did, or if it wasn't checked.
  public let problem: String?
}

/// The snapshots of a store.
public struct SnapshotListReport: Hashable, Sendable {
  /// The path as typed.
  public let path: String

  /// The snapshots, oldest first.
  public let snapshots: [SnapshotReport]

  /// A Boolean value indicating whether the snapshots' hashes were compared.
  public let isChecked: Bool

  /// Whether migrations of the next snapshot's run are unknown, so that a rollback may need them.
  package let lacksMigrations: Bool

  /// A Boolean value indicating whether no problem was found.
  public var isPassed: Bool { snapshots.allSatisfy { $0.problem == nil } }
}

/// What `snapshot prune` did.
public struct SnapshotPruneReport: Hashable, Sendable {
  /// The path as typed.
  public let path: String

  /// The snapshots that were removed, or would be in a dry run, oldest first.
  public let removed: [SnapshotReport]

  /// The snapshots that stay, oldest first; a damaged one doesn't count towards the number to keep.
  public let kept: [SnapshotReport]

  /// The snapshot that stays only so that the current store can be rolled back; `nil` if none does.
  public let spared: String?

  /// The snapshots that stay only because of their quarantined rows, oldest first.
  public let quarantined: [String]

  /// A Boolean value indicating whether this was a dry run, which changes no files.
  public let isDryRun: Bool

  /// What an interrupted run left and how it was resolved, in words.
  public let notes: [String]
}
