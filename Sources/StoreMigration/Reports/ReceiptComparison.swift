package import StoreExchange
package import StoreProof

/// The comparison of a store with the receipt of the run that left it.
package struct ReceiptComparison: Hashable, Sendable {
  /// The path of the snapshot's folder.
  package let snapshot: String

  /// The kind of the run.
  package let kind: Receipt.Kind

  /// The versions before and after the run.
  package let from: String
  package let to: String

  /// The time of the run, as `2026-11-21T01:58:00Z`.
  package let time: String

  /// The tool and its version.
  package let tool: String

  /// Whether the rows are those that the run left.
  package let isUnchanged: Bool

  /// The changes since the run, by entity; `nil` if they can't be determined.
  package let changes: [EntityChange]?

  /// The changes of external data files since the run.
  package let files: FileChanges
}
