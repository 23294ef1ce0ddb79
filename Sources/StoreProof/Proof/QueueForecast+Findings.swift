import OutboxFormat
import StoreFormat

extension QueueForecast {
  /// The findings, as failures of a proof.
  var failures: [Finding] {
    Check.allCases.flatMap { check in
      findings[check, default: []].map { Finding(.ledger, "\(check.rawValue): \($0)") }
    }
  }
}
