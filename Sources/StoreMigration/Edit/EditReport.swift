/// What an edit did to a store, or would do.
public struct EditReport: Hashable, Sendable {
  /// The path as it was typed.
  public let path: String

  /// The app.
  public let app: String

  /// The version that the store is at.
  public let version: String

  /// The path of the snapshot that takes the edit back; none where nothing was changed.
  public let snapshot: String?

  /// The rows that were written, by entity.
  public let changes: [EntityChange]

  /// The time from beginning to end, in milliseconds.
  public let durationMilliseconds: Int64

  /// What was found of an earlier, interrupted run and done about it, in words.
  public let notes: [String]
}
