public import StoreProof

/// What `rollback` did.
public struct RollbackReport: Hashable, Sendable {
  /// The path as typed.
  public let path: String

  /// The versions before and after.
  public let from: String
  public let to: String

  /// The undone command if it kept the version, such as `outbox retry`; `nil` for a migration.
  public let undoneCommand: String?

  /// The path of the snapshot's folder to which the store was rolled back.
  public let snapshot: String

  /// The path of the folder that keeps the store from before the rollback; `nil` in a dry run.
  public let kept: String?

  /// The changes since the migration, by the migrated version's entities.
  public let changes: [EntityChange]

  /// The changes that were carried over to the old version, by its entities.
  public let merged: [EntityChange]

  /// The number of parked values by `Entity.property`, and of parked rows by entity.
  public let parked: [String: Int64]

  /// The name of the file beside the store with the parked values; `nil` if there are none.
  public let parkedFile: String?

  /// A Boolean value indicating whether the store is the snapshot's, byte for byte.
  public let isExact: Bool

  /// Whether migrations between the versions are unknown, so that `--migrations` has to give them.
  package let lacksMigrations: Bool

  /// Whether the store is a run's again, without the record by which `verify` accounts for it.
  package let lacksRecord: Bool

  /// A Boolean value indicating whether this was a dry run, which changes no files.
  public let isDryRun: Bool

  /// The duration in milliseconds.
  public let durationMilliseconds: Int64

  /// What an interrupted run left and how it was resolved, in words.
  public let notes: [String]
}
