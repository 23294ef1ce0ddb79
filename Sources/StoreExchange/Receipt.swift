package import JSONText
package import Platform

/// What a run did to a store, kept with the snapshot that takes it back.
///
/// The receipt is written before the exchange, as `pending`, and marked `done` after it.
package struct Receipt: Hashable, Sendable {
  /// The version of the format that this library reads and writes.
  package static let formatVersion: Int64 = 1

  /// How far the run got.
  package enum State: String, CaseIterable, Hashable, Sendable {
    /// Everything is on the disk; whether the exchange happened shows in the store's identity.
    case pending

    /// The new store took the old one's place.
    case done

    /// The snapshot's own file is about to take the store's place.
    ///
    /// Whether it did shows in the store's identity.
    case returning

    /// The snapshot is being removed.
    case removing
  }

  /// What the run was.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// It brought the store to a newer version.
    case apply

    /// It took the store back to another snapshot.
    case rollback

    /// It wrote rows of the version that the store is at.
    case edit
  }

  /// What stands at a path: the file itself and the hashes of its bytes.
  package struct FileRecord: Hashable, Sendable {
    /// The file's device and inode.
    package let identity: FileIdentity

    /// The hashes of its bytes.
    package let hashes: FileHashes

    package init(identity: FileIdentity, hashes: FileHashes) {
      (self.identity, self.hashes) = (identity, hashes)
    }
  }

  /// What else a run's receipt says, which the exchange and the recovery keep without reading it.
  package struct Details: Hashable, Sendable {
    /// What was asked for and planned; it stands before the hashes in the file.
    package let plan: [JSONValue.Member]

    /// What came of it; it stands at the end of the file.
    package let outcome: [JSONValue.Member]

    package init(plan: [JSONValue.Member], outcome: [JSONValue.Member]) {
      (self.plan, self.outcome) = (plan, outcome)
    }
  }

  /// The hashes of what stood beside the main file, in hexadecimal digits.
  package struct Companions: Hashable, Sendable {
    /// The SHA-256 of the write-ahead log; `nil` if there was none.
    package let wal: String?

    /// The SHA-256 of the rollback journal; `nil` if there was none.
    package let journal: String?

    /// The files of large values, by name, with the SHA-256 of each.
    package let external: [String: String]

    package init(wal: String? = nil, journal: String? = nil, external: [String: String]) {
      self.wal = wal
      self.journal = journal
      self.external = external
    }
  }

  /// How far the run got.
  package var state: State

  /// What the run was.
  package let kind: Kind

  /// The command that an edit was, such as `quarantine restore`; `nil` for other runs.
  package let command: String?

  /// The snapshot that a rollback went back to; `nil` for other runs.
  package let undone: String?

  /// A Boolean value indicating whether that snapshot goes, because the store is what it keeps.
  package let isUndoneObsolete: Bool

  /// The app.
  package let app: String

  /// The version the store was at.
  package let from: String

  /// The version it was brought to.
  package let to: String

  /// When the run began, as `2026-11-21T01:58:00Z`.
  package let time: String

  /// The store's name, without its folder.
  package let store: String

  /// The tool's version.
  package let tool: String

  /// The main file as it was found, before anything was folded into it.
  package let found: FileRecord

  /// What stood beside it.
  package let before: Companions

  /// The hashes of the snapshot: the main file with its log folded in and ``header`` in place.
  package let snapshotHashes: FileHashes

  /// The first 100 bytes of the store with its log folded in, before its journal mode was changed.
  package let header: [UInt8]

  /// The new store.
  package let written: FileRecord

  /// What the run left beside it: no log and no journal, and the files of large values.
  package let after: Companions

  /// The digest of the new store's entity hashes.
  package let digest: String

  /// The logical hash of the old store's rows.
  package let contentBefore: String

  /// The logical hash of the new store's rows, which the app's opening it doesn't change.
  package let contentHash: String

  /// The number of rows that the run wrote.
  package let rowsWritten: Int64

  /// The time from the beginning of the run to this receipt, in milliseconds.
  package let durationMilliseconds: Int64

  /// What else is said of the run.
  package let details: Details

  /// The files of large values that the snapshot has, by name, with the SHA-256 of each.
  package var external: [String: String] { after.external }
}
