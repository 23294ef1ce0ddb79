import Platform

/// What a run did to a store, kept with the snapshot that takes it back.
///
/// The receipt is written before the exchange, as `pending`, and marked `done` after it.
public struct Receipt: Hashable, Sendable {
  /// The version of the format that this library reads and writes.
  public static let formatVersion: Int64 = 1

  /// How far the run got.
  public enum State: String, CaseIterable, Hashable, Sendable {
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
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// It brought the store to a newer version.
    case apply

    /// It took the store back to another snapshot.
    case rollback

    /// It wrote rows of the version that the store is at.
    case edit
  }

  /// What stands at a path: the file itself and the hashes of its bytes.
  public struct FileRecord: Hashable, Sendable {
    /// The file's device and inode.
    public let identity: FileIdentity

    /// The hashes of its bytes.
    public let hashes: FileHashes
  }

  /// What was planned and done, in the numbers of the plan.
  public struct PlanRecord: Hashable, Sendable {
    /// The changes, in order.
    public let steps: [PlannedStep]

    /// What became of the values that changed their form.
    public let conversions: [PlannedConversion]

    /// The accepted losses with rows.
    public let losses: [PlannedLoss]
  }

  /// The hashes of what stood beside the main file, in hexadecimal digits.
  public struct Companions: Hashable, Sendable {
    /// The SHA-256 of the write-ahead log; none where there was none.
    public let wal: String?

    /// The SHA-256 of the rollback journal; none where there was none.
    public let journal: String?

    /// The files of large values, by name, with the SHA-256 of each.
    public let external: [String: String]

    public init(wal: String? = nil, journal: String? = nil, external: [String: String]) {
      self.wal = wal
      self.journal = journal
      self.external = external
    }
  }

  /// How far the run got.
  public var state: State

  /// What the run was.
  public let kind: Kind

  /// The command that an edit was, as in `quarantine restore`; none for others.
  public let command: String?

  /// The snapshot that a rollback went back to; none for others.
  public let undone: String?

  /// A Boolean value indicating whether that snapshot goes, because the store is what it keeps.
  public let isUndoneObsolete: Bool

  /// The app.
  public let app: String

  /// The version the store was at.
  public let from: String

  /// The version it was brought to.
  public let to: String

  /// When the run began, as `2026-11-21T01:58:00Z`.
  public let time: String

  /// The store's name, without its folder.
  public let store: String

  /// The tool's version.
  public let tool: String

  /// What the user asked for.
  public let request: MigrationRequest

  /// The migrations on the way: their names with the SHA-256 of their files.
  public let migrations: [String: String]

  /// What the run did, step by step; of an apply only.
  public let plan: PlanRecord?

  /// The main file as it was found, before anything was folded into it.
  public let found: FileRecord

  /// What stood beside it.
  public let before: Companions

  /// The hashes of the snapshot: the main file with its log folded in and ``header`` in place.
  public let snapshotHashes: FileHashes

  /// The first 100 bytes of the store with its log folded in, before its journal mode was changed.
  public let header: [UInt8]

  /// The new store.
  public let written: FileRecord

  /// What the run left beside it: no log and no journal, and the files of large values.
  public let after: Companions

  /// The digest of the new store's entity hashes.
  public let digest: String

  /// The logical hash of the old store's rows.
  public let contentBefore: String

  /// The logical hash of the new store's rows, which the app's opening it doesn't change.
  public let contentHash: String

  /// The rows written anew.
  public let rowsWritten: Int64

  /// The time from the beginning of the run to this receipt, in milliseconds.
  public let durationMilliseconds: Int64

  /// What became of every property.
  public let ledger: [LedgerEntry]

  /// What became of the rows of an outbox that the app delivers; none of any other.
  public let delivery: DeliveryCounts?

  /// The files of large values that the snapshot has, by name, with the SHA-256 of each.
  public var external: [String: String] { after.external }
}
