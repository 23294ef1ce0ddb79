package import OutboxConversion
public import StoreProof

/// What `apply` did.
public struct ApplyReport: Hashable, Sendable {
  /// The path as it was typed.
  public let path: String

  /// The app.
  public let app: String

  /// The versions before and after; equal if there was nothing to do.
  public let from: String
  public let to: String

  /// The path of the snapshot's folder; none if there was nothing to do.
  public let snapshot: String?

  /// The rows written anew, those of entities that changed.
  public let rowsWritten: Int64

  /// What became of the values that changed their form.
  public let conversions: [PlannedConversion]

  /// The values that were set aside, by accepted loss.
  public let losses: [PlannedLoss]

  /// What became of every property, as the proof counted it.
  public let ledger: [LedgerEntry]

  /// What became of the rows of an outbox that the app delivers; none of any other.
  package let delivery: DeliveryCounts?

  /// A Boolean value indicating whether the new store was verified before the exchange.
  public let isVerified: Bool

  /// The time it took, in milliseconds.
  public let durationMilliseconds: Int64

  /// What was found of an earlier, interrupted run and done about it, in words.
  public let notes: [String]
}
