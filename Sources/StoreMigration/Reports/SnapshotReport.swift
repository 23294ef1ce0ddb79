package import StoreExchange
import StoreProof

/// One snapshot of a store.
public struct SnapshotReport: Hashable, Sendable {
  /// What its receipt says, or the lack of one.
  public enum State: String, CaseIterable, Hashable, Sendable {
    /// The receipt says done.
    case done

    /// A killed run left it: the next run that writes finishes or forgets it.
    case unfinished

    /// The receipt can't be read; nothing is done with the folder.
    case unreadable
  }

  /// The folder's name, as `rollback --to` takes it.
  public let name: String

  /// The folder's path.
  public let path: String

  /// What its receipt says.
  public let state: State

  /// The receipt, where it can be read.
  package let receipt: Receipt?

  /// The bytes on the disk; those that another file shares count too.
  public let bytes: Int64

  /// A Boolean value indicating whether `rollback` without `--to` goes back to it.
  public let isNext: Bool

  /// What isn't as it was kept, in words; none if all is, or if nobody looked.
  public let problem: String?
}

/// The snapshots of a store.
public struct SnapshotListReport: Hashable, Sendable {
  /// The path as it was typed.
  public let path: String

  /// The snapshots, oldest first.
  public let snapshots: [SnapshotReport]

  /// A Boolean value indicating whether the snapshots' hashes were compared.
  public let isChecked: Bool

  /// A Boolean value indicating whether no problem was found.
  public var isPassed: Bool { snapshots.allSatisfy { $0.problem == nil } }
}

/// What `snapshot prune` did.
public struct SnapshotPruneReport: Hashable, Sendable {
  /// The path as it was typed.
  public let path: String

  /// The snapshots that were removed, or would be, oldest first.
  public let removed: [SnapshotReport]

  /// The snapshots that stay, oldest first; those with a problem aren't counted as kept.
  public let kept: [SnapshotReport]

  /// The snapshot that stays only because the present state goes back to it.
  public let spared: String?

  /// A Boolean value indicating whether the files were only looked at.
  public let isDryRun: Bool

  /// What was found of an earlier, interrupted run and done about it, in words.
  public let notes: [String]
}
