import StoreExchange
import StoreModel
import OutboxFormat
import Platform
import StoreFormat
import Migrations
import StoreAccess
import OutboxConversion
import StoreProof

extension StoreMigrator {
  /// Checks a store of any app, without changing a byte of it.
  ///
  /// The store is checked alone and, at the same time, against the snapshot that it was made from,
  /// if it has one.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - comparesReceipt: Whether to report what changed since the run that made the store.
  ///   - forecastsQueue: Whether to report what the app would do with its outbox. This is also
  ///     reported for a store whose rows were written in deliverable form and haven't changed
  ///     since.
  /// - Returns: The checks that were made.
  /// - Throws: A ``MigrationError`` if the file isn't a readable store or has no model to check it
  ///   by, or if the receipt or the outbox that the parameters ask about is missing. Failures of a
  ///   store that can be checked are in the report.
  /// - Complexity: O(*n*) in the number of rows and in the snapshot's bytes, in constant memory.
  public func verify(
    _ path: String, comparesReceipt: Bool = false, forecastsQueue: Bool = false
  ) throws(MigrationError) -> VerifyReport {
    try reported(path) {
      let inspection = try StoreInspection(path: path, catalog: catalog)
      let store = inspection.store
      if store.hasNothingToCheckBy { throw VersionError.noModel(path, reasons: store.problems) }
      return try inspection.reading {
        let origin = try Origin.find(
          for: inspection.files, digest: store.metadata?.hashes?.digest)
        if comparesReceipt && origin == nil { throw RequestError.noReceipt(path) }
        let (findings, outcome, isCut) = try findings(
          in: inspection, origin, comparesReceipt: comparesReceipt)
        let isReadable = findings.allSatisfy(\.leavesRowsReadable)
        let isAsked = try forecastsQueue || (outcome.isUnchanged && origin?.wroteQueue == true)
        let queue =
          isAsked && isReadable
          ? try QueueForecast(of: store, inspection.connection) : nil
        if forecastsQueue && queue == nil { throw RequestError.noQueue(path) }
        // The forecast says the same in its checks.
        let stopped =
          queue == nil && isReadable
          ? try PlanWarning.stoppedQueue(of: store, origin, inspection.connection) : nil
        let unowned =
          isReadable ? try PlanWarning.unknownOwners(of: store, inspection.connection) : nil
        return VerifyReport(
          path: path, recognition: inspection.recognition, recorded: inspection.recordedVersion,
          isMirrored: store.isMirrored,
          findings: findings, outcome, queue,
          unchecked: store.unchecked(
            rowsAreCut: isCut, hasOrigin: origin != nil, isReadable),
          warnings: inspection.warnings + [stopped, unowned].compactMap(\.self))
      }
    }
  }

  /// Checks a store alone and against its origin, on two threads.
  ///
  /// The result also says whether a damaged page kept rows from being checked.
  private func findings(
    in inspection: borrowing StoreInspection, _ origin: Origin?, comparesReceipt: Bool
  ) throws -> ([Finding], OriginCheck.Outcome, rowsAreCut: Bool) {
    let (store, files, isShared) = (inspection.store, inspection.files, inspection.isShared)
    var originCheck: OriginCheck?
    if let origin, let model = store.cachedModel {
      originCheck = OriginCheck(
        OriginStores(
          origin: origin, path: inspection.typedPath, files: files, model: model, catalog: catalog,
          isShared: isShared), store, comparesReceipt: comparesReceipt)
    }
    let check = StoreCheck(
      store, files: files, knownFiles: Set(origin?.receipt.external.keys ?? [:].keys))
    let content = SharedPiece {
      let connection = try OpenedStore.connection(to: files.path, isShared: isShared)
      return isShared
        ? try check.contentFindingsOfOneMoment(connection) : try check.contentFindings(connection)
    }
    // Each thread does what only it can do, then shared work that the other hasn't begun.
    let (damage, attempt) = try concurrently(
      {
        let damage = try fileFindings(in: inspection, originCheck)
        originCheck?.help()
        content.runIfFree()
        return damage
      },
      { [originCheck] in
        Result { try originCheck?.outcome(meanwhile: content.runIfFree) }
      })
    let found = try content.outcome()
    let findings = StoreCheck.findings(damage, content: found)
    let isCut = found.contains { $0.check == .integrity }
    // If rows can't be read, the comparison with the snapshot doesn't count.
    guard findings.allSatisfy(\.leavesRowsReadable) else {
      return (findings, OriginCheck.Outcome(), isCut)
    }
    return (findings, try attempt.get() ?? OriginCheck.Outcome(), isCut)
  }

  /// Checks the file with SQLite, but for the tables that are on the snapshot's pages.
  private func fileFindings(
    in inspection: borrowing StoreInspection, _ originCheck: OriginCheck?
  ) throws -> [Finding] {
    // If it isn't known which tables these are, SQLite reads all.
    let pages = try? originCheck?.carriedPages()
    return try pages?.integrityFindings(inspection.connection)
      ?? StoreCheck.integrityFindings(inspection.connection)
  }
}

extension StoreDescription {
  /// Whether the store lacks the model to check it by.
  ///
  /// Stores of older systems have no model cache and aren't damaged (`StoreFormat.md` §3.3).
  fileprivate var hasNothingToCheckBy: Bool {
    lacksModelCache || (cachedModel == nil && metadata == nil)
  }

  /// Returns the reasons why checks couldn't be done.
  ///
  /// - Parameters:
  ///   - rowsAreCut: Whether a damaged page ended the checks of rows.
  ///   - hasOrigin: Whether the snapshot that the store was made from is there.
  ///   - isReadable: Whether rows can be compared with the snapshot.
  /// - Returns: The reasons, by check.
  fileprivate func unchecked(
    rowsAreCut: Bool, hasOrigin: Bool, _ isReadable: Bool
  ) -> [Finding.Check: String] {
    let rows: [Finding.Check] = [
      .rowEntities, .maximumKeys, .mandatoryValues, .links, .externalData, .history, .cloudKit,
    ]
    var reasons: [Finding.Check: String] = [:]
    func set(_ checks: [Finding.Check], _ reason: String) {
      for check in checks where reasons[check] == nil { reasons[check] = reason }
    }
    if cachedModel == nil {
      set(
        [.hashes, .modelCache, .entityNumbers, .tables, .indexes] + rows,
        "the store's model can't be read")
    }
    if metadata == nil { set([.hashes], "the store's metadata can't be read") }
    if modelCacheCount == 0 { set([.modelCache], "the store has no model cache") }
    if rowsAreCut { set(rows, "a damaged page ends the reading of rows") }
    if hasOrigin, !isReadable {
      set([.snapshot, .ledger], "the store isn't good enough to compare it with its snapshot")
    }
    return reasons
  }
}

extension Finding {
  /// Whether rows can be compared in spite of the finding.
  fileprivate var leavesRowsReadable: Bool {
    switch check {
    case .integrity, .metadata, .hashes, .modelCache, .entityNumbers, .tables: severity == .warning
    default: true
    }
  }
}

extension VerifyReport {
  init(
    path: String, recognition: Recognition, recorded: StatusReport.RecordedVersion?,
    isMirrored: Bool, findings: [Finding], _ outcome: OriginCheck.Outcome,
    _ queue: QueueForecast?, unchecked: [Finding.Check: String], warnings: [PlanWarning]
  ) {
    let all = findings + outcome.findings
    let unchecked = unchecked.merging(outcome.unchecked) { first, _ in first }
    let shown = Finding.Check.allCases.filter {
      ![.cloudKit, .snapshot, .ledger, .receipt].contains($0) || outcome.checked.contains($0)
        || ($0 == .cloudKit && isMirrored)
        || ([.snapshot, .ledger].contains($0) && unchecked[$0] != nil)
    }
    self.init(
      path: path, recognition: recognition, recorded: recorded,
      checks: shown.map { check in
        let failures = all.filter { $0.check == check && $0.severity == .failure }.flatMap(\.lines)
        let details = failures.isEmpty ? [outcome.details[check]].compactMap(\.self) : failures
        return Check(
          name: check.rawValue, isPassed: failures.isEmpty, details: details,
          uncheckedReason: failures.isEmpty ? unchecked[check] : nil)
      } + (queue?.checks ?? []),
      warnings: warnings + all.filter { $0.severity == .warning }.map(PlanWarning.init)
        + (queue?.warnings ?? []).map { PlanWarning(code: "queue", rows: 0, message: $0) },
      receipt: outcome.comparison, queue: queue)
  }
}

extension PlanWarning {
  fileprivate init(_ finding: Finding) {
    self.init(code: finding.check.rawValue, rows: 0, message: finding.lines.joined(separator: "; "))
  }
}
