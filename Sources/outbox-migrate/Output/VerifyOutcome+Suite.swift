import CheckReports
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
        CheckSuite(
          path: path,
          outcome.report.checks.map {
            CheckSuite.Case($0.name, $0.isPassed ? .passed : .failed($0.details))
          })
      case .failure(let failure):
        CheckSuite(path: path, [.init("readable", .error(failure.message))])
      }
    }
  }
}
