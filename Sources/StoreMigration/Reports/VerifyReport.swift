package import Migrations
package import OutboxFormat

/// What `verify` found.
public struct VerifyReport: Hashable, Sendable {
  /// One check with its outcome.
  public struct Check: Hashable, Sendable {
    /// The check's name.
    public let name: String

    /// A Boolean value indicating whether nothing failed.
    public let isPassed: Bool

    /// What was found, or counted by a check that passed, in words.
    public let details: [String]
  }

  /// The path as it was typed.
  public let path: String

  /// Which version the store is at.
  package let recognition: Recognition

  /// The checks, in order.
  public let checks: [Check]

  /// What one may want to know, in words.
  public let warnings: [String]

  /// The store beside the receipt of the run that left it, where that was asked for.
  package let receipt: ReceiptComparison?

  /// What the app would do with the rows of its outbox.
  ///
  /// None unless that was asked for or they were written to be sent.
  package let queue: QueueForecast?

  /// A Boolean value indicating whether every check passed.
  public var isPassed: Bool { checks.allSatisfy(\.isPassed) }
}
