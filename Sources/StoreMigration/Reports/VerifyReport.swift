package import Migrations
package import OutboxFormat
import StoreFormat

/// What `verify` found.
public struct VerifyReport: Hashable, Sendable {
  /// A check with its outcome.
  public struct Check: Hashable, Sendable {
    /// The check's name.
    public let name: String

    /// A Boolean value indicating whether nothing failed.
    public let isPassed: Bool

    /// The failures, or what a check that passed counted, in words.
    public let details: [String]

    /// The reason why the check couldn't be done; `nil` if it was done.
    ///
    /// Such a check counts as passed.
    public internal(set) var uncheckedReason: String?
  }

  /// The path as typed.
  public let path: String

  /// The version that the store is recognised as.
  package let recognition: Recognition

  /// The version by the receipt of the newest run that left this model.
  ///
  /// It is `nil` without a receipt, or if the store is recognised at least partially.
  package let recorded: StatusReport.RecordedVersion?

  /// The checks, in order.
  public let checks: [Check]

  /// What the app tolerates, and what you should know before using the store.
  public let warnings: [PlanWarning]

  /// The comparison with the receipt of the last run; `nil` if it wasn't requested.
  package let receipt: ReceiptComparison?

  /// What the app would do with the rows of its outbox.
  ///
  /// `nil` unless it was requested, or the rows were written as deliverable rows.
  package let queue: QueueForecast?

  /// A Boolean value indicating whether every check passed.
  public var isPassed: Bool { checks.allSatisfy(\.isPassed) }

  /// Whether a check of the store alone failed, not only one of its snapshot or its outbox.
  package var isDamaged: Bool {
    let others: [Finding.Check] = [.snapshot, .ledger, .receipt]
    let own = Finding.Check.allCases.filter { !others.contains($0) }.map(\.rawValue)
    return checks.contains { !$0.isPassed && own.contains($0.name) }
  }
}
