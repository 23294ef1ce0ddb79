package import StoreExchange
import StoreProof

/// One snapshot of a store.
package struct SnapshotReport: Hashable, Sendable {
  /// What its receipt says, or the lack of one.
  package enum State: String, CaseIterable, Hashable, Sendable {
    /// The receipt says done.
    case done

    /// A killed run left it: the next run that writes finishes or forgets it.
    case unfinished

    /// The receipt can't be read; nothing is done with the folder.
    case unreadable
  }

  /// The folder's name, as `rollback --to` takes it.
  package let name: String

  /// The folder's path.
  package let path: String

  /// What its receipt says.
  package let state: State

  /// The receipt, where it can be read.
  package let receipt: Receipt?

  /// The bytes on the disk; those that another file shares count too.
  package let bytes: Int64

  /// A Boolean value indicating whether `rollback` without `--to` goes back to it.
  package let isNext: Bool

  /// What isn't as it was kept, in words; none if all is, or if nobody looked.
  package let problem: String?
}

/// The snapshots of a store.
package struct SnapshotListReport: Hashable, Sendable {
  /// The path as it was typed.
  package let path: String

  /// The snapshots, oldest first.
  package let snapshots: [SnapshotReport]

  /// A Boolean value indicating whether the snapshots' hashes were compared.
  package let isChecked: Bool

  /// A Boolean value indicating whether no problem was found.
  package var isPassed: Bool { snapshots.allSatisfy { $0.problem == nil } }
}

/// What `snapshot prune` did.
package struct SnapshotPruneReport: Hashable, Sendable {
  /// The path as it was typed.
  package let path: String

  /// The snapshots that were removed, or would be, oldest first.
  package let removed: [SnapshotReport]

  /// The snapshots that stay, oldest first; those with a problem aren't counted as kept.
  package let kept: [SnapshotReport]

  /// The snapshot that stays only because the present state goes back to it.
  package let spared: String?

  /// A Boolean value indicating whether the files were only looked at.
  package let isDryRun: Bool

  /// What was found of an earlier, interrupted run and done about it, in words.
  package let notes: [String]
}
