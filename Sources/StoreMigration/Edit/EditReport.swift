package import StoreProof

/// What an edit did to a store, or would do.
package struct EditReport: Hashable, Sendable {
  /// The path as it was typed.
  package let path: String

  /// The app.
  package let app: String

  /// The version that the store is at.
  package let version: String

  /// The path of the snapshot that takes the edit back; none where nothing was changed.
  package let snapshot: String?

  /// The rows that were written, by entity.
  package let changes: [EntityChange]

  /// The time from beginning to end, in milliseconds.
  package let durationMilliseconds: Int64

  /// What was found of an earlier, interrupted run and done about it, in words.
  package let notes: [String]
}
