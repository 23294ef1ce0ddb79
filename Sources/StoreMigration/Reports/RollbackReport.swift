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
