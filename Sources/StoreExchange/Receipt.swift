package import JSONText
package import Platform

/// The record of a run, kept in the snapshot that a rollback of the run restores.
///
/// The receipt is written before the exchange, as `pending`, and marked `done` after it. The
/// letters in comments are those of the protocol in `Durability.md`.
///
/// Its hashes are XXH128 in 32 hexadecimal digits. Those of receipts by trial builds may be SHA-256
/// in 64 (``HashAlgorithm/init(of:)``).
package struct Receipt: Hashable, Sendable {
  /// The version of the format that this library reads and writes.
  package static let formatVersion: Int64 = 1

  /// How far the run got.
  package enum State: String, CaseIterable, Hashable, Sendable {
    /// Everything is on the disk; the store's identity shows whether the exchange happened (f).
    case pending

    /// The new store has replaced the old one.
    case done

    /// The snapshot's own file is about to become the store (g).
    ///
    /// The store's identity shows whether it did.
    case returning

    /// The snapshot is being removed (i).
    case removing
  }

  /// The kind of a run.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The run brought the store to a newer version.
    case apply

    /// The run restored a snapshot.
    case rollback

    /// The run changed rows and kept the version.
    case edit

    /// The run repaired the store, whose rows, tables or metadata weren't those of its version.
    case repair
  }

  /// A file's identity, and the hash of its bytes.
  package struct FileRecord: Hashable, Sendable {
    /// The file's device and inode.
    package let identity: FileIdentity

    /// The hash of its bytes.
    package let hash: String

    package init(identity: FileIdentity, hash: String) {
      (self.identity, self.hash) = (identity, hash)
    }
  }

  /// The rest of a receipt, which the exchange and the recovery keep without reading it.
  package struct Details: Hashable, Sendable {
    /// What was requested and planned; it comes before the hashes in the file.
    package let plan: [JSONValue.Member]

    /// What the run did; it comes at the end of the file.
    package let outcome: [JSONValue.Member]

    package init(plan: [JSONValue.Member], outcome: [JSONValue.Member]) {
      (self.plan, self.outcome) = (plan, outcome)
    }
  }

  /// The hashes of the files beside the main file.
  package struct Companions: Hashable, Sendable {
    /// The hash of the write-ahead log; `nil` if there was none.
    package let wal: String?

    /// The hash of the rollback journal; `nil` if there was none.
    package let journal: String?

    /// The hash of each external data file, by name.
    package let external: [String: String]

    package init(wal: String? = nil, journal: String? = nil, external: [String: String]) {
      self.wal = wal
      self.journal = journal
      self.external = external
    }
  }

  /// How far the run got.
  package var state: State

  /// The kind of the run.
  package let kind: Kind

  /// The command of an edit, such as `quarantine restore`; `nil` for other runs.
  package let command: String?

  /// The name of the snapshot that a rollback restored; `nil` for other runs.
  package let undone: String?

  /// Whether that snapshot is removed, because the store equals it.
  package let isUndoneObsolete: Bool

  /// The app's name.
  package let app: String

  /// The version the store was at.
  package let from: String

  /// The version it was brought to.
  package let to: String

  /// When the run wrote the receipt, in UTC, such as `2026-11-21T01:58:00.412Z`.
  package let time: String

  /// The store's name, without its folder.
  package let store: String

  /// The tool's name and version.
  package let tool: String

  /// The main file as it was found, before the log was folded in.
  package let found: FileRecord

  /// The files beside it before the run.
  package let before: Companions

  /// The hash of the snapshot: the main file with its log folded in and ``header`` in place.
  package let snapshotHash: String

  /// The first 100 bytes of the store with its log folded in, before its journal mode was changed.
  package let header: [UInt8]

  /// The new store's main file.
  package let written: FileRecord

  /// The files beside it after the run: no log, no journal, and the external data.
  package let after: Companions

  /// The digest of the new store's entity hashes.
  package let digest: String

  /// The content hash of the old store's rows, without ``carried``.
  package let contentBefore: String

  /// The content hash of the new store's rows, without ``carried``.
  ///
  /// It is the same after the app has opened the store.
  package let contentHash: String

  /// The tables that the run left as they were, and that the content hashes leave out.
  ///
  /// The run left the rows in them that the snapshot has. The names are in alphabetical order.
  package let carried: [String]

  /// The number of rows that the run wrote.
  package let rowsWritten: Int64

  /// The time from the beginning of the run to this receipt, in milliseconds.
  package let durationMilliseconds: Int64

  /// The rest of the receipt.
  package let details: Details

  /// The command of a run that kept the version, such as `outbox retry`; `nil` for a migration.
  package var commandAtSameVersion: String? { from == to ? command ?? kind.rawValue : nil }

  /// The hash of each external data file in the snapshot, by name.
  ///
  /// A rollback restores missing files before it makes the snapshot, and changed files afterwards.
  package var external: [String: String] { after.external.merging(before.external) { $1 } }
}
