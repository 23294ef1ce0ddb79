/// The refusal of a new store that isn't what the plan says.
package struct VerificationError: Error, Hashable, Sendable {
  /// The path of the store, as it was typed.
  package let path: String

  /// What the checks found, in words.
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
