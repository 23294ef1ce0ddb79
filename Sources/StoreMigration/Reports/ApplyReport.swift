package import OutboxConversion
package import StoreProof

/// What `apply` did.
package struct ApplyReport: Hashable, Sendable {
  /// The path as it was typed.
  package let path: String

  /// The app.
  package let app: String

  /// The versions before and after; equal if there was nothing to do.
  package let from: String
  package let to: String

  /// The path of the snapshot's folder; none if there was nothing to do.
  package let snapshot: String?

  /// The rows written anew, those of entities that changed.
  package let rowsWritten: Int64

  /// What became of the values that changed their form.
  package let conversions: [PlannedConversion]

  /// The values that were set aside, by accepted loss.
  package let losses: [PlannedLoss]

  /// What became of every property, as the proof counted it.
  package let ledger: [LedgerEntry]

  /// What became of the rows of an outbox that the app delivers; none of any other.
  package let delivery: DeliveryCounts?

  /// A Boolean value indicating whether the new store was verified before the exchange.
  package let isVerified: Bool

  /// The time it took, in milliseconds.
  package let durationMilliseconds: Int64

  /// What was found of an earlier, interrupted run and done about it, in words.
  package let notes: [String]
}
