public import Migrations
public import StoreMigration
import StoreModel

extension StoreMigrator {
  /// Migrates a store as ``apply(to:_:lockTimeout:progress:)`` does, and reports its start and its end.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - request: The target and the options.
  ///   - lockTimeout: How long to wait for other processes to release the store; `nil` for half a
  ///     second.
  ///   - progress: A closure to call at the beginning of each phase.
  ///   - track: A closure to call with both events, on the calling thread.
  /// - Returns: What was done.
  /// - Throws: A ``MigrationError``, after the event of the end.
  public func apply(
    to path: String, _ request: MigrationRequest = MigrationRequest(),
    lockTimeout: Duration? = nil, progress: (ApplyPhase) -> Void = { _ in },
    tracking track: (SchemaMigrationEvent) -> Void
  ) throws(MigrationError) -> ApplyReport {
    try tracked(path, request, track) { () throws(MigrationError) in
      try apply(to: path, request, lockTimeout: lockTimeout, progress: progress)
    }
  }

  /// Runs a migration between its two events.
  package func tracked(
    _ path: String, _ request: MigrationRequest, _ track: (SchemaMigrationEvent) -> Void,
    _ migrate: () throws(MigrationError) -> ApplyReport
  ) throws(MigrationError) -> ApplyReport {
    let clock = ContinuousClock()
    let start = clock.now
    let status = try? status(of: path, countsRows: false)
    let present = status?.version
    let app = status?.app
    let newest = app.flatMap { app in
      present.flatMap { catalog.version($0, of: app) }.map { catalog.newest(from: $0).name }
    }
    let target = request.schema?.version ?? request.target ?? newest
    track(.started(app: app, from: present, to: target))
    do throws(MigrationError) {
      let report = try migrate()
      track(
        .completed(
          SchemaMigrationEvent.Completion(
            app: report.app, from: report.from, to: report.to, rows: report.rowsWritten,
            duration: clock.now - start, isSuccess: report.isVerified)))
      return report
    } catch {
      track(
        .completed(
          SchemaMigrationEvent.Completion(
            app: app, from: present, to: target, rows: 0, duration: clock.now - start,
            isSuccess: false)))
      throw error
    }
  }
}
