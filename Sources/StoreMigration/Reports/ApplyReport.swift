package import OutboxConversion
public import StoreProof

/// What `apply` did.
public struct ApplyReport: Hashable, Sendable {
  /// The path as typed.
  public let path: String

  /// The app.
  public let app: String

  /// The versions before and after; equal if there was nothing to do.
  public let from: String
  public let to: String

  /// The path of the snapshot's folder; `nil` if there was nothing to do.
  public let snapshot: String?

  /// A Boolean value indicating whether the store was changed.
  public var hasChanges: Bool { snapshot != nil }

  /// The number of rewritten rows: the rows of tables that changed.
  public let rowsWritten: Int64

  /// The conversions of values that changed their form.
  public let conversions: [PlannedConversion]

  /// The accepted losses, with the number of values that were set aside.
  public let losses: [PlannedLoss]

  /// What happened to every property, as the proof counted it.
  public let ledger: [LedgerEntry]

  /// What happened to the outbox's rows with `--rows deliverable`; otherwise `nil`.
  package let delivery: DeliveryCounts?

  /// A Boolean value indicating whether the new store was verified before the exchange.
  public let isVerified: Bool

  /// The duration in milliseconds.
  public internal(set) var durationMilliseconds: Int64

  /// The warnings of the plan, which are also about the store as it was before.
  public internal(set) var warnings: [PlanWarning]

  /// Notes in words, such as what an interrupted run left and how it was resolved.
  public internal(set) var notes: [String]
}
