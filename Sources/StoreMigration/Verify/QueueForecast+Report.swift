import OutboxFormat
import StoreFormat

extension QueueForecast {
  /// The checks in the form of a verify report.
  var checks: [VerifyReport.Check] {
    Check.allCases.map { check in
      let details = findings[check, default: []]
      return VerifyReport.Check(
        name: check.rawValue, isPassed: details.isEmpty, details: details)
    }
  }
}
