import SafeText
import StoreModel

/// The time that a migration is expected to take, by the rate of earlier runs.
package struct ExpectedTime: Hashable, Sendable {
  package let milliseconds: Int64

  /// The number of earlier runs.
  package let runs: Int64

  package init?(_ rates: MeasuredRates, _ app: String, from: String, to: String, bytes: Int64) {
    guard let rate = rates.rate(app, from: from, to: to) else { return nil }
    milliseconds = rate.expected(bytes: bytes)
    runs = rate.runs
  }

  /// The expectation in a plan.
  package var sentence: String {
    "Expected time: \(milliseconds.milliseconds), by the rate of "
      + "\(runs.counted("earlier run"))."
  }

  /// Returns the expectation beside the time that the migration took.
  package func sentence(took duration: Int64) -> String {
    let difference = Int64(
      (Double(duration - milliseconds) / Double(max(1, milliseconds)) * 100).rounded())
    let words =
      difference == 0
      ? "as long" : "\(abs(difference).grouped)% \(difference > 0 ? "longer" : "less")"
    return "Expected \(milliseconds.milliseconds), by the rate of \(runs.counted("earlier run")); "
      + "it took \(duration.milliseconds), \(words)."
  }
}
