package import StoreProof

/// What `rollback` did.
package struct RollbackReport: Hashable, Sendable {
  /// The path as it was typed.
  package let path: String

  /// The versions before and after.
  package let from: String
  package let to: String

  /// The path of the snapshot's folder that the store went back to.
  package let snapshot: String

  /// The path of the folder that keeps the store as it was before; none in a dry run.
  package let kept: String?

  /// What was written since the store was migrated, by the present version's entities.
  package let changes: [EntityChange]

  /// What came back of it, by the entities of the version that the store went back to.
  package let merged: [EntityChange]

  /// How many values, or whole rows, that version has no place for: by `Entity.property`, or entity.
  package let parked: [String: Int64]

  /// The name of the file beside the store that has them; none where there are none.
  package let parkedFile: String?

  /// A Boolean value indicating whether the store is what the snapshot keeps, byte for byte.
  package let isExact: Bool

  /// A Boolean value indicating whether the files were only looked at.
  package let isDryRun: Bool

  /// The time it took, in milliseconds.
  package let durationMilliseconds: Int64

  /// What was found of an earlier, interrupted run and done about it, in words.
  package let notes: [String]
}
