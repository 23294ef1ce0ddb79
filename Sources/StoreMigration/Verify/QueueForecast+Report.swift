import OutboxFormat
import StoreFormat

extension QueueForecast {
  /// The checks as reports have them.
  var checks: [VerifyReport.Check] {
    Check.allCases.map { check in
      let details = findings[check, default: []]
      return VerifyReport.Check(
        name: check.rawValue, isPassed: details.isEmpty, details: details)
    }
  }

  /// What was found, as failures of a proof.
  var failures: [Finding] {
    Check.allCases.flatMap { check in
      findings[check, default: []].map { Finding(.ledger, "\(check.rawValue): \($0)") }
    }
  }
}
