public import StoreProof

/// What `rollback` did.
public struct RollbackReport: Hashable, Sendable {
  /// The path as it was typed.
  public let path: String

  /// The versions before and after.
  public let from: String
  public let to: String

  /// The path of the snapshot's folder that the store went back to.
  public let snapshot: String

  /// The path of the folder that keeps the store as it was before; none in a dry run.
  public let kept: String?

  /// What was written since the store was migrated, by the present version's entities.
  public let changes: [EntityChange]

  /// What came back of it, by the entities of the version that the store went back to.
  public let merged: [EntityChange]

  /// How many values, or whole rows, that version has no place for: by `Entity.property`, or entity.
  public let parked: [String: Int64]

  /// The name of the file beside the store that has them; none where there are none.
  public let parkedFile: String?

  /// A Boolean value indicating whether the store is what the snapshot keeps, byte for byte.
  public let isExact: Bool

  /// A Boolean value indicating whether the files were only looked at.
  public let isDryRun: Bool

  /// The time it took, in milliseconds.
  public let durationMilliseconds: Int64

  /// What was found of an earlier, interrupted run and done about it, in words.
  public let notes: [String]
}
