import OutboxFormat
import StoreFormat
import StoreProof

extension QueueForecast {
  /// The checks as reports have them.
  var checks: [VerifyReport.Check] {
    Check.allCases.map { check in
      let details = findings[check, default: []]
      return VerifyReport.Check(
        name: check.rawValue, isPassed: details.isEmpty, details: details)
    }
  }
}
