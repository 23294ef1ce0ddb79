package import StoreExchange
package import StoreProof

/// A store beside the receipt of the run that left it.
package struct ReceiptComparison: Hashable, Sendable {
  /// The path of the snapshot's folder.
  package let snapshot: String

  /// What the run was.
  package let kind: Receipt.Kind

  /// The versions before and after it.
  package let from: String
  package let to: String

  /// When it ran, as `2026-11-21T01:58:00Z`.
  package let time: String

  /// The tool and its version.
  package let tool: String

  /// A Boolean value indicating whether the rows are those that it left.
  package let isUnchanged: Bool

  /// What was written since, by entity; none if it can't be told.
  package let changes: [EntityChange]?

  /// The files of large values that came, changed or went since.
  package let files: FileChanges
}

/// How many files of large values came, changed and went.
package struct FileChanges: Hashable, Sendable {
  /// The files that are new.
  package internal(set) var added: Int64 = 0

  /// The files with other bytes.
  package internal(set) var changed: Int64 = 0

  /// The files that are no more.
  package internal(set) var removed: Int64 = 0

  /// A Boolean value indicating whether there is none.
  package var isEmpty: Bool { added + changed + removed == 0 }
}
