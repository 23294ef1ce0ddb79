import StoreFormat

/// What `status` found.
public struct StatusReport: Hashable, Sendable {
  /// One entity of the store, with its rows.
  public struct EntityRows: Hashable, Sendable {
    /// The entity's name.
    public let name: String

    /// The number of its rows; none where they weren't counted.
    public let rows: Int64?
  }

  /// The path as it was typed.
  public let path: String

  /// The sizes of the main file and the write-ahead log, in bytes.
  public let mainBytes: Int64
  public let walBytes: Int64

  /// Which version the store is at.
  public let recognition: Recognition

  /// What the metadata says the version is.
  public let versionIdentifiers: [String]

  /// The entities, in the order of their numbers.
  public let entities: [EntityRows]

  /// The processes that have the store open, in words.
  public let holders: [String]

  /// What an interrupted run left, in words.
  public let remains: [String]
}

/// What `apply` did.
public struct ApplyReport: Hashable, Sendable {
  /// The path as it was typed.
  public let path: String

  /// The app.
  public let app: String

  /// The versions before and after; equal if there was nothing to do.
  public let from: String
  public let to: String

  /// The path of the snapshot's folder; none if there was nothing to do.
  public let snapshot: String?

  /// The rows written anew, those of entities that changed.
  public let rowsWritten: Int64

  /// What became of the values that changed their form.
  public let conversions: [PlannedConversion]

  /// The values that were set aside, by accepted loss.
  public let losses: [PlannedLoss]

  /// What became of every property, as the proof counted it.
  public let ledger: [LedgerEntry]

  /// A Boolean value indicating whether the new store was verified before it took the old one's place.
  public let isVerified: Bool

  /// The time it took, in milliseconds.
  public let durationMilliseconds: Int64

  /// What was found of an earlier, interrupted run and done about it, in words.
  public let notes: [String]
}

/// What `verify` found.
public struct VerifyReport: Hashable, Sendable {
  /// One check with its outcome.
  public struct Check: Hashable, Sendable {
    /// The check's name.
    public let name: String

    /// A Boolean value indicating whether nothing failed.
    public let isPassed: Bool

    /// What was found, in words; empty if nothing was.
    public let details: [String]
  }

  /// The path as it was typed.
  public let path: String

  /// Which version the store is at.
  public let recognition: Recognition

  /// The checks, in order.
  public let checks: [Check]

  /// What one may want to know, in words.
  public let warnings: [String]

  /// A Boolean value indicating whether every check passed.
  public var isPassed: Bool { checks.allSatisfy(\.isPassed) }
}

/// What `rollback` did.
public struct RollbackReport: Hashable, Sendable {
  /// The path as it was typed.
  public let path: String

  /// The versions before and after.
  public let from: String
  public let to: String

  /// The path of the snapshot's folder that the store went back to.
  public let snapshot: String

  /// A Boolean value indicating whether the files were only looked at.
  public let isDryRun: Bool

  /// The time it took, in milliseconds.
  public let durationMilliseconds: Int64

  /// What was found of an earlier, interrupted run and done about it, in words.
  public let notes: [String]
}
