package import Migrations
package import Platform
import StoreFormat
package import StoreMigration

/// Collects the metrics of a run of `apply`, and the rates that it measured.
package struct RunMonitor {
  /// What became of a store that didn't fail.
  package struct Result: Hashable, Sendable {
    package let app: String
    package let from: String
    package let to: String
    package let rows: Int64
    package let milliseconds: Int64
    package let hasChanges: Bool

    package init(
      app: String, from: String, to: String, rows: Int64, milliseconds: Int64, hasChanges: Bool
    ) {
      self.app = app
      self.from = from
      self.to = to
      self.rows = rows
      self.milliseconds = milliseconds
      self.hasChanges = hasChanges
    }
  }

  private let metricsPath: String?
  private let ratesPath: String?
  private var metrics = RunMetrics()
  private var rates: MeasuredRates

  /// Whether the user keeps rates.
  package var hasRates: Bool { ratesPath != nil }

  /// Creates a monitor that writes the files at the paths; `nil` for none.
  package init(metrics: String?, rates path: String?, read rates: MeasuredRates) {
    (metricsPath, ratesPath, self.rates) = (metrics, path, rates)
  }

  /// Runs a migration, and returns its report with the time that was expected.
  package mutating func migrating(
    _ path: String, _ request: MigrationRequest, _ migrator: StoreMigrator,
    tracking track: ((SchemaMigrationEvent) -> Void)?,
    _ migrate: () throws(MigrationError) -> ApplyReport
  ) throws(MigrationError) -> (report: ApplyReport, expected: ExpectedTime?) {
    let bytes = Self.bytes(of: path)
    do throws(MigrationError) {
      // The event of the start names the store's version, for which the store is read once more.
      let report =
        if let track {
          try migrator.tracked(path, request, track, migrate)
        } else {
          try migrate()
        }
      let expected = ExpectedTime(
        rates, report.app, from: report.from, to: report.to, bytes: bytes)
      let result = Result(
        app: report.app, from: report.from, to: report.to, rows: report.rowsWritten,
        milliseconds: report.durationMilliseconds, hasChanges: report.hasChanges)
      add(result, bytes: bytes)
      return (report, report.hasChanges ? expected : nil)
    } catch {
      metrics.addFailure()
      throw error
    }
  }

  /// Adds a store that was some bytes large before; `nil` for one that failed.
  package mutating func add(_ result: Result?, bytes: Int64) {
    guard let result else { return metrics.addFailure() }
    metrics.add(
      app: result.app, from: result.from, to: result.to, rows: result.rows,
      duration: .milliseconds(result.milliseconds), hasChanges: result.hasChanges)
    guard result.hasChanges else { return }
    rates.add(
      result.app, from: result.from, to: result.to, bytes: bytes,
      milliseconds: result.milliseconds)
  }

  /// Writes the files, with the time of the run's end in seconds since 1970.
  package func write(endedAt time: Double) throws(SystemError) {
    if let metricsPath { try metrics.write(to: metricsPath, endedAt: time) }
    if let ratesPath { try rates.write(to: ratesPath) }
  }

  /// Returns the size of a store with its log, in bytes.
  package static func bytes(of path: String) -> Int64 {
    [path, StoreFiles(path: path).wal].reduce(0) { $0 + ((try? FileStatus(of: $1).size) ?? 0) }
  }
}
