import InputFiles
import MigrationMonitoring
import Platform
import StoreMigration

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The monitor of a run of `apply`, which its stores share.
final class ApplyMonitor {
  var run: RunMonitor

  init(_ options: MonitoringOptions) throws(Failure) {
    if let path = options.metrics, !RunMetrics.mayReplace(path) {
      throw Failure(
        .misuse, "'\(path)' isn't a file of metrics; give another name to '--metrics'")
    }
    if let path = options.rates, !MeasuredRates.mayReplace(path) {
      throw Failure(.misuse, "'\(path)' isn't a file of rates; give another name to '--rates'")
    }
    let rates = try options.rates.map { path throws(Failure) in try MeasuredRates(atPath: path) }
    run = RunMonitor(
      metrics: options.metrics, rates: options.rates, read: rates ?? MeasuredRates())
  }

  /// Writes the files that the options name; the stores are migrated already.
  func finish() throws(Failure) {
    do throws(SystemError) {
      try run.write(endedAt: Date().timeIntervalSince1970)
    } catch {
      throw Failure(.ioError, error.description + "; the stores are as reported")
    }
  }
}
