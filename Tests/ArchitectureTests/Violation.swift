import Testing

/// A place where a rule isn't kept.
struct Violation: Equatable {
  /// What names it: it doesn't change with lines that come and go.
  let key: String

  /// The whole of it, for people.
  let detail: String

  init(_ key: String, _ detail: String? = nil) {
    self.key = key
    self.detail = detail ?? key
  }
}

/// Expects that nothing violates a rule: there are no exceptions.
func expectNone(_ rule: Testing.Comment, _ violations: [Violation]) {
  let details = violations.map(\.detail)
  #expect(details.isEmpty, rule)
}
