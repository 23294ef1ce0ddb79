import JSONText
import MigrationMonitoring
import Platform
import SafeText
import StoreModel

extension MeasuredRates {
  /// Reads the file of `--rates`; one that isn't there has no rates.
  init(atPath path: String) throws(Failure) {
    do {
      try self.init(file: path)
    } catch let error as JSONError {
      throw Failure(error)
    } catch {
      throw Failure(any: error)
    }
  }
}

/// The time that a migration is expected to take, by the rate of earlier runs.
struct ExpectedTime: Hashable {
  let milliseconds: Int64

  /// The number of earlier runs.
  let runs: Int64

  init?(_ rates: MeasuredRates, _ app: String, from: String, to: String, bytes: Int64) {
    guard let rate = rates.rate(app, from: from, to: to) else { return nil }
    milliseconds = rate.expected(bytes: bytes)
    runs = rate.runs
  }

  /// The expectation in a plan.
  var sentence: String {
    "Expected time: \(milliseconds.milliseconds), by the rate of "
      + "\(runs.counted("earlier run"))."
  }

  /// Returns the expectation beside the time that the migration took.
  func sentence(took duration: Int64) -> String {
    let difference = Int64(
      (Double(duration - milliseconds) / Double(max(1, milliseconds)) * 100).rounded())
    let words =
      difference == 0
      ? "as long" : "\(abs(difference).grouped)% \(difference > 0 ? "longer" : "less")"
    return "Expected \(milliseconds.milliseconds), by the rate of \(runs.counted("earlier run")); "
      + "it took \(duration.milliseconds), \(words)."
  }
}
