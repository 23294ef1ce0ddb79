import MigrationMonitoring
import Migrations
import Platform
import SafeText
import StoreMigration
import StoreFormat

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a run of `apply` gives besides its reports: events, metrics, and the rates that it measured.
final class ApplyMonitor {
  private let options: MonitoringOptions
  private var metrics = RunMetrics()
  private var rates = MeasuredRates()

  /// Whether `--rates` is given.
  var hasRates: Bool { options.rates != nil }

  init(_ options: MonitoringOptions) throws(Failure) {
    self.options = options
    if let path = options.rates { rates = try MeasuredRates(atPath: path) }
  }

  /// Runs a migration, and returns its report with the time that was expected.
  func migrating(
    _ path: String, _ request: MigrationRequest, _ migrator: StoreMigrator,
    _ display: ProgressDisplay?, _ migrate: () throws(MigrationError) -> ApplyReport
  ) throws(MigrationError) -> (report: ApplyReport, expected: ExpectedTime?) {
    let bytes = Self.bytes(of: path)
    do throws(MigrationError) {
      let report = try migrator.tracked(path, request, { display?.note($0) }, migrate)
      let expected = ExpectedTime(
        rates, report.app, from: report.from, to: report.to, bytes: bytes)
      add(
        report.app, report.from, report.to, rows: report.rowsWritten,
        milliseconds: report.durationMilliseconds, hasChanges: report.hasChanges, bytes: bytes)
      return (report, report.hasChanges ? expected : nil)
    } catch {
      metrics.addFailure()
      throw error
    }
  }

  /// Adds the result of a store's process.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - bytes: The size of the store before.
  func add(_ result: StoreResult, bytes: Int64) {
    guard result.isDone, let way = result.way else { return metrics.addFailure() }
    add(
      way.app, way.from, way.to, rows: result.rowsWritten, milliseconds: result.milliseconds ?? 0,
      hasChanges: result.isChanged, bytes: bytes)
  }

  /// Adds stores whose processes weren't started, since a signal ended the run.
  func addUnstarted(_ count: Int) { for _ in 0..<count { metrics.addFailure() } }

  private func add(
    _ app: String, _ from: String, _ to: String, rows: Int64, milliseconds: Int64,
    hasChanges: Bool, bytes: Int64
  ) {
    metrics.add(
      app: app, from: from, to: to, rows: rows, duration: .milliseconds(milliseconds),
      hasChanges: hasChanges)
    if hasChanges { rates.add(app, from: from, to: to, bytes: bytes, milliseconds: milliseconds) }
  }

  /// Writes the files that the options name; the stores are migrated already.
  func finish() throws(Failure) {
    do throws(SystemError) {
      if let path = options.metrics {
        try metrics.write(to: path, endedAt: Date().timeIntervalSince1970)
      }
      if let path = options.rates { try rates.write(to: path) }
    } catch {
      throw Failure(.ioError, error.description + "; the stores are as reported")
    }
  }

  /// The size of a store with its log, in bytes.
  static func bytes(of path: String) -> Int64 {
    [path, StoreFiles(path: path).wal].reduce(0) { $0 + ((try? FileStatus(of: $1).size) ?? 0) }
  }
}
