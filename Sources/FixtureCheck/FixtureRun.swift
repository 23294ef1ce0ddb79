import StoreMigration
import Platform
import SQLite
import StoreFormat
import OutboxConversion
import StoreProof

/// Checks one fixture: copies its store, plans, applies, verifies, reads rows and rolls back.
struct FixtureRun {
  /// What to do with the rows of the migrated store.
  enum Purpose {
    case comparing, recording
  }

  let fixture: FixtureFolder
  let migrator: StoreMigrator
  let purpose: Purpose

  /// A temporary folder for this run only.
  let folder: String

  /// The copy that is migrated.
  private var copy: StoreFiles { StoreFiles(path: "\(folder)/migrated/\(fixture.storeName)") }

  /// The copy that isn't migrated, to compare the rolled-back store with.
  private var original: StoreFiles { StoreFiles(path: "\(folder)/original/\(fixture.storeName)") }

  func carryOut() throws -> FixtureReport {
    let source = StoreFiles(path: fixture.store)
    try source.copyAll(to: copy)
    try source.copyAll(to: original)
    let plan = try at(.plan) { () throws(MigrationError) in
      try migrator.plan(for: copy.path, fixture.request)
    }
    if plan.hasChanges { try apply(plan) }
    let verified = try at(.verify) { () throws(MigrationError) in try migrator.verify(copy.path) }
    let failures = verified.checks.filter { !$0.isPassed }.flatMap(\.details)
    guard failures.isEmpty else { throw failure(.verify, failures.joined(separator: "; ")) }
    let report = try read(plan)
    if plan.hasChanges { try rollBack() }
    if purpose == .recording { try placeRecord() }
    return report
  }

  private func apply(_ plan: Plan) throws {
    let report = try at(.apply) { () throws(MigrationError) in
      try migrator.apply(to: copy.path, fixture.request)
    }
    // The migrated store is a copy, so a stop signal may still end the run.
    StopSignal.beginRun()
    let isAsPlanned =
      report.rowsWritten == plan.rowsWritten && report.conversions == plan.conversions
      && report.losses == plan.losses
    guard isAsPlanned else {
      throw failure(.apply, "its counts of rows, conversions or losses differ from the plan's")
    }
  }

  private func rollBack() throws {
    _ = try at(.rollBack) { () throws(MigrationError) in try migrator.rollback(copy.path) }
    StopSignal.beginRun()
    // `apply` did the same with the copy, so only then can the files be equal.
    try original.foldLog()
    guard try copy.contentHashes() == original.contentHashes() else {
      throw failure(.rollBack, "the rolled-back store differs from the original")
    }
    // A rollback keeps the migrated store in a snapshot, as `apply` keeps the old one.
    let own: Set = [copy.name, copy.supportFolderName, copy.name + ".snapshots"]
    let rest = try FileSystem.list(copy.folder).filter { !own.contains($0) }
    guard rest.isEmpty else {
      throw failure(.rollBack, "'\(rest.joined(separator: "', '"))' was left beside the store")
    }
  }
}

extension FixtureRun {
  /// Reads the rows of the migrated store, and compares or records them.
  private func read(_ plan: Plan) throws -> FixtureReport {
    let inspection = try at(.read) { () throws(MigrationError) in
      try migrator.inspection(of: copy.path)
    }
    guard let model = inspection.store.cachedModel else {
      throw failure(.read, "the store has no model")
    }
    let reader = RowTextReader(inspection.store, model: model)
    switch purpose {
    case .comparing: return try compare(reader, plan, inspection.connection)
    case .recording: return try record(reader, plan, inspection.connection)
    }
  }

  private func compare(
    _ reader: RowTextReader, _ plan: Plan, _ connection: borrowing Connection
  ) throws -> FixtureReport {
    let expected = try ExpectedRows(fixture.expected)
    var comparison = FixtureComparison()
    comparison.compareVersions(expected: expected.version, found: "\(plan.app) \(plan.to)")
    try comparison.compare(
      expected: ExpectedCursor(expected, places: reader.places),
      found: RowTextCursor(reader, connection))
    return FixtureReport(
      folder: fixture.path, app: plan.app, from: plan.from, to: plan.to, rows: comparison.rows,
      differenceCount: comparison.count, differences: comparison.differences,
      warnings: [])
  }

  /// Replaces the expected rows by the recorded ones, unless a stop signal ended the run.
  private func placeRecord() throws(SystemError) {
    try StopSignal.check()
    try FileSystem.rename(fixture.draft, to: fixture.expected)
  }

  private func record(
    _ reader: RowTextReader, _ plan: Plan, _ connection: borrowing Connection
  ) throws -> FixtureReport {
    try FileSystem.removeIfPresent(fixture.draft)
    let file = try FileDescriptor(creating: fixture.draft, mode: 0o644)
    try file.write(Array((RowText.title(app: plan.app, version: plan.to) + "\n").utf8))
    var rows: Int64 = 0
    try reader.forEachRow(connection) { row in
      rows += 1
      try file.write(Array(row.text.utf8))
    }
    // All rows are on the disk before they replace the old ones.
    try file.synchronize()
    return FixtureReport(
      folder: fixture.path, app: plan.app, from: plan.from, to: plan.to, rows: rows,
      differenceCount: 0, differences: [],
      warnings: StoreFiles.warnings(about: fixture.store))
  }
}

extension FixtureRun {
  /// Runs a stage; its errors give the path of the fixture's store instead of the copy's.
  private func at<Result: ~Copyable>(
    _ stage: FixtureStage, _ work: () throws(MigrationError) -> Result
  ) throws(FixtureFolderError) -> Result {
    do {
      return try work()
    } catch {
      var reason = error.description.replacing(copy.path, with: fixture.store)
      var status = ExitStatus.verificationFailed
      switch error.exitStatus {
      case .ioError, .cannotCreate, .badFile: status = error.exitStatus
      // These errors suggest an option of the command line, which a fixture doesn't have.
      case .misuse, .refused: reason += "; a fixture's options are in its options.json"
      default: break
      }
      throw .failed(fixture.path, stage, reason: reason, status)
    }
  }

  private func failure(_ stage: FixtureStage, _ reason: String) -> FixtureFolderError {
    .failed(fixture.path, stage, reason: reason, .verificationFailed)
  }
}
