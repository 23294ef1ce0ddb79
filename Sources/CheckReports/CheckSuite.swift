/// The checks of one store or fixture, with their results.
package struct CheckSuite: Hashable, Sendable {
  /// One check.
  package struct Case: Hashable, Sendable {
    package let name: String
    package let result: Result

    /// What to know about a check, whatever its result: one warning a line.
    package let warnings: [String]

    package init(_ name: String, _ result: Result, warnings: [String] = []) {
      self.name = name
      self.result = result
      self.warnings = warnings
    }
  }

  /// The result of a check.
  package enum Result: Hashable, Sendable {
    case passed

    /// The check wasn't done, for this reason.
    case skipped(String)

    /// The check failed, for these reasons.
    case failed([String])

    /// The check couldn't be done.
    case error(String)
  }

  /// The path of what was checked.
  package let path: String

  package let cases: [Case]

  package init(path: String, _ cases: [Case]) {
    self.path = path
    self.cases = cases
  }

  /// What failed, as findings about the path.
  package var findings: [CheckFinding] {
    cases.flatMap { item -> [CheckFinding] in
      let reasons: [String] =
        switch item.result {
        case .passed, .skipped: []
        case .failed(let reasons): reasons.isEmpty ? ["the check failed"] : reasons
        case .error(let message): [message]
        }
      return reasons.map {
        CheckFinding(rule: item.name, level: .error, path: path, message: $0)
      }
    }
  }
}
