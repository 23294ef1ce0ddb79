package import StoreProof

/// What an edit did to a store, or would do.
package struct EditReport: Hashable, Sendable {
  /// The path as it was typed.
  package let path: String

  /// The app's name.
  package let app: String

  /// The version that the store is at.
  package let version: String

  /// The path of the snapshot of the store before the edit; `nil` if none was created.
  package let snapshot: String?

  /// The rows that were written, by entity.
  package let changes: [EntityChange]

  /// The duration, in milliseconds.
  package let durationMilliseconds: Int64

  /// Sentences about what an interrupted earlier run left, and what was done about it.
  package let notes: [String]
}
