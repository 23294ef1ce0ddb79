import StoreFormat

/// The reason why a new store isn't accepted: it isn't what the plan says.
package struct VerificationError: Error, Hashable, Sendable {
  /// The path of the store, as the user typed it.
  package let path: String

  /// The messages of the failed checks.
  package let findings: [String]

  /// What to do, if that is known.
  private let advice: String?

  package init(_ path: String, findings: [String], advice: String? = nil) {
    self.path = path
    self.findings = findings
    self.advice = advice
  }

  /// Creates the error for what the checks of a new store found.
  init(_ path: String, _ findings: [Finding]) {
    let lacksValues = findings.contains { $0.check == .mandatoryValues }
    self.init(
      path, findings: findings.map(\.message),
      advice: lacksValues
        ? "fill the values with a backfill in the migration, or correct the rows in the app; "
          + "'outbox-migrate plan' names the rows" : nil)
  }
}

extension VerificationError: CustomStringConvertible {
  package var description: String {
    "'\(path)' failed verification: \(findings.prefix(3).joined(separator: "; "))"
      + (advice.map { "; \($0)" } ?? "")
  }
}
