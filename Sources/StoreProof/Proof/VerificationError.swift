/// The reason why a new store isn't accepted: it isn't what the plan says.
package struct VerificationError: Error, Hashable, Sendable {
  /// The path of the store, as the user typed it.
  package let path: String

  /// The messages of the failed checks.
  package let findings: [String]

  package init(_ path: String, findings: [String]) {
    self.path = path
    self.findings = findings
  }
}

extension VerificationError: CustomStringConvertible {
  package var description: String {
    "'\(path)' failed verification: \(findings.prefix(3).joined(separator: "; "))"
  }
}
