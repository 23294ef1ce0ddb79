/// One thing about a store that isn't as it should be, or that one should know.
package struct Finding: Hashable, Sendable {
  /// What was looked at; the name of the check in reports.
  package enum Check: String, CaseIterable, Hashable, Sendable {
    case integrity
    case metadata
    case hashes
    case modelCache = "model-cache"
    case entityNumbers = "entity-numbers"
    case tables
    case indexes
    case rowEntities = "row-entities"
    case maximumKeys = "maximum-keys"
    case mandatoryValues = "mandatory-values"
    case links
    case externalData = "external-data"
    case history
    case snapshot
    case ledger
    case receipt
  }

  /// How bad it is.
  package enum Severity: String, Hashable, Sendable {
    /// The app could not open the store, or would read something wrong.
    case failure

    /// The store works; somebody may want to know.
    case warning
  }

  /// What was looked at.
  package let check: Check

  /// How bad it is.
  package let severity: Severity

  /// What was expected and found, without values of rows.
  package let message: String

  package init(_ check: Check, _ message: String, severity: Severity = .failure) {
    self.check = check
    self.severity = severity
    self.message = message
  }
}

extension Finding: CustomStringConvertible {
  package var description: String { message }
}
