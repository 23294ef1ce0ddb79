import CommandLineKit
import MigrationMonitoring

/// A part of a whole, in percent.
struct Percentage: ArgumentValue, Hashable {
  let value: Double

  init(argument: String) throws(ArgumentValueError) {
    let digits = argument.hasSuffix("%") ? argument.dropLast() : argument[...]
    // `Double` also reads hexadecimal numbers and exponents.
    guard let first = digits.utf8.first, (48...57).contains(first),
      digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }), let value = Double(digits),
      value <= 100
    else { throw .malformed(expected: "a percentage from 0 to 100, such as '99.9'") }
    self.value = value
  }

  var argumentText: String { "\(value)" }
}

/// The options of `apply` by which other programs watch it.
struct MonitoringOptions: Hashable, Sendable {
  static let metrics = Option<String?>(
    "--metrics", valueName: "file",
    help: "Write the run's metrics to this file, for the textfile collector of Prometheus.",
    completion: .file)
  static let rates = Option<String?>(
    "--rates", valueName: "file",
    help: "A file of measured rates, from which the expected time is told; 'apply' adds its own.",
    completion: .file)
  static let maxDuration = Option<Duration?>(
    "--max-duration", valueName: "duration",
    help: "Exit with 1 if a store takes longer than this, such as 5s.")
  static let minSuccessRate = Option<Percentage?>(
    "--min-success-rate", valueName: "percent",
    help: "Exit with 0 if at least this part of the stores is done, such as 99.9, else with 1.")
  static var parameters: [any Parameter] { [metrics, rates, maxDuration, minSuccessRate] }

  let metrics: String?
  let rates: String?
  let limits: FleetLimits

  init(_ input: borrowing Input) {
    metrics = input[Self.metrics]
    rates = input[Self.rates]
    limits = FleetLimits(
      maximumDuration: input[Self.maxDuration],
      minimumSuccessRate: input[Self.minSuccessRate]?.value)
  }
}
