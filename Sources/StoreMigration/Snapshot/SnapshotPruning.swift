import Platform
import StoreAccess
import StoreExchange
import StoreFormat

extension StoreMigrator {
  /// Removes all snapshots of a store but the newest.
  ///
  /// Only a snapshot that matches its receipt counts as kept, so the last sound one is never
  /// removed in favour of a damaged one. A folder that doesn't count as a snapshot is left
  /// unchanged, and so is a snapshot with quarantined rows, unless you force it.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - count: The number of snapshots to keep.
  ///   - force: Whether to remove even the newest snapshot, and those with quarantined rows.
  ///   - dryRun: Whether to report what would be removed, without removing it.
  /// - Returns: What was removed, or would be.
  /// - Throws: A ``MigrationError``, such as ``StoreAccessError/inUse(_:holders:)`` if another
  ///   process has the store open.
  /// - Complexity: O(*n*) in the bytes of the snapshots that are kept.
  public func pruneSnapshots(
    of path: String, keeping count: Int, force: Bool = false, dryRun: Bool = false
  ) throws(MigrationError) -> SnapshotPruneReport {
    try reported(path) {
      let files = try StoreFiles(resolving: path)
      let run = PruneRun(path: path, files: files, count: count, force: force)
      var found = CrashCleanup()
      if dryRun {
        try files.checkHeader(typed: path)
        return try run.look()
      }
      return try StoreFiles.waiting(for: path) {
        try found.run(on: files, typed: path)
        return try run.carryOut(notes: found.notes)
      }
    }
  }
}

/// One run of prune: decides what to keep, and removes the rest, the oldest first.
///
/// The letters in comments are those of the protocol in `Durability.md`.
struct PruneRun {
  /// The path as it was typed.
  let path: String
  let files: StoreFiles

  /// The number of sound snapshots to keep.
  let count: Int

  /// Whether the newest snapshot, and those with quarantined rows, may be removed.
  let force: Bool

  /// Reports what would be done, without writing anything.
  func look() throws -> SnapshotPruneReport {
    try decide(isDryRun: true, notes: Recovery(files: files).leftovers().map(\.description))
  }

  /// Removes what isn't kept, under the store's lock (i).
  func carryOut(notes: [String]) throws -> SnapshotPruneReport {
    let store = try ExclusiveStore.take(files, typed: path)
    let report = try decide(isDryRun: false, notes: notes)
    if !report.removed.isEmpty { try StopSignal.completeRun() }
    for snapshot in report.removed {
      try SnapshotFolder(files: files, name: snapshot.name).remove()
    }
    try store.release()
    return report
  }

  private func decide(isDryRun: Bool, notes: [String]) throws -> SnapshotPruneReport {
    let all = try SnapshotListing(path: path, files: files, checks: false).reports()
    let newest = all.last { $0.state == .done }?.name
    var (kept, removed): ([SnapshotReport], [SnapshotReport]) = ([], [])
    var (spared, quarantined): (String?, [String]) = (nil, [])
    var sound = 0
    for snapshot in all.reversed() {
      guard snapshot.state == .done, let receipt = snapshot.receipt else {
        kept.append(snapshot)
        continue
      }
      let isSpared = snapshot.name == newest && !force
      let folder = SnapshotFolder(files: files, name: snapshot.name)
      // What was kept out of the store is nowhere else. After a rollback, the rows are in the store.
      let hasQuarantine =
        try receipt.kind == .apply && folder.file(.quarantine).statusIfPresent() != nil
      if sound >= count && !isSpared && (force || !hasQuarantine) {
        removed.append(snapshot)
        continue
      }
      let problem = try folder.problem(receipt)
      if sound >= count {
        if isSpared { spared = snapshot.name } else { quarantined.append(snapshot.name) }
      }
      if problem == nil { sound += 1 }
      kept.append(snapshot.with(problem: problem))
    }
    return SnapshotPruneReport(
      path: path, removed: removed.reversed(), kept: kept.reversed(), spared: spared,
      quarantined: quarantined.reversed(), isDryRun: isDryRun, notes: notes)
  }
}

extension SnapshotReport {
  fileprivate func with(problem: String?) -> SnapshotReport {
    SnapshotReport(
      name: name, path: path, state: state, receipt: receipt, bytes: bytes, isNext: isNext,
      problem: problem)
  }
}
