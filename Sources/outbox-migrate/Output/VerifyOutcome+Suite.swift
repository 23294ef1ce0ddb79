import CheckReports
import InputFiles
import StoreMigration

extension VerifyOutcome {
  /// A store's path with the result of the command there.
  typealias StoreResult = (path: String, result: Result<VerifyOutcome, Failure>)

  /// Returns what writes one report on all stores; `nil` for a format in which each store has its own.
  static func summary(in format: TestFormat) -> (([StoreResult]) -> [String])? {
    switch format {
    case .text, .json: nil
    case .junit: { JUnitReport(command: "verify", suites($0)).lines }
    case .github: { GitHubAnnotations(suites($0).flatMap(\.findings)).lines }
    }
  }

  /// Returns the checks of each store; a store that can't be checked has one, which is an error.
  private static func suites(_ results: [StoreResult]) -> [CheckSuite] {
    results.map { path, result in
      switch result {
      case .success(let outcome):
        CheckSuite(path: path, cases(outcome.report))
      case .failure(let failure):
        CheckSuite(path: path, [.init("readable", .error(failure.message))])
      }
    }
  }

  /// Returns the checks with their warnings; the first one has those that belong to none.
  private static func cases(_ report: VerifyReport) -> [CheckSuite.Case] {
    let names = report.checks.map(\.name)
    return report.checks.map { check in
      let warnings = report.warnings.filter {
        $0.code == check.name || (check.name == names.first && !names.contains($0.code))
      }
      let result: CheckSuite.Result =
        if let reason = check.uncheckedReason {
          .skipped(reason)
        } else {
          check.isPassed ? .passed : .failed(check.details)
        }
      return CheckSuite.Case(
        check.name, result, warnings: warnings.map { "\($0.code): \($0.message)" })
    }
  }
}
