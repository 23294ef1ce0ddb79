import StoreExchange
import Platform
import StoreFormat
import Migrations
import StoreAccess
import OutboxConversion
import StoreProof

extension StoreMigrator {
  /// Removes all snapshots of a store but the newest.
  ///
  /// A snapshot counts as kept only if it is what its receipt says, so that the last sound one is never
  /// given up for a damaged one. What doesn't count is left alone, and so are those with rows that an
  /// apply kept out of the store.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - count: How many to keep.
  ///   - force: Whether to remove even the one that the present state goes back to.
  ///   - dryRun: Whether only to look.
  /// - Returns: What was removed, or would be.
  /// - Throws: A ``MigrationError``; ``StoreAccessError/inUse(_:holders:)`` if another process has the
  ///   store open.
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
        try found.settle(files, typed: path)
        return try run.carryOut(notes: found.notes)
      }
    }
  }
}

/// One run of prune: decides what stays, and removes the rest, the oldest first.
struct PruneRun {
  /// The path as it was typed.
  let path: String
  let files: StoreFiles

  /// How many sound snapshots stay.
  let count: Int

  /// Whether the one that the present state goes back to may go.
  let force: Bool

  /// Says what would be done, and writes nothing.
  func look() throws -> SnapshotPruneReport {
    try decide(isDryRun: true, notes: Recovery(files: files).remains().map(\.description))
  }

  /// Removes what isn't kept, while no other run can begin.
  func carryOut(notes: [String]) throws -> SnapshotPruneReport {
    let store = try ExclusiveStore.take(files, typed: path)
    let report = try decide(isDryRun: false, notes: notes)
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
    var spared: String?
    var sound = 0
    for snapshot in all.reversed() {
      guard snapshot.state == .done, let receipt = snapshot.receipt else {
        kept.append(snapshot)
        continue
      }
      let isSpared = snapshot.name == newest && !force
      let folder = SnapshotFolder(files: files, name: snapshot.name)
      // What was kept out of the store is nowhere else.
      let hasQuarantine = try folder.file(.quarantine).statusIfPresent() != nil
      if sound >= count && !isSpared && (force || !hasQuarantine) {
        removed.append(snapshot)
        continue
      }
      let problem = try folder.problem(receipt)
      if isSpared && sound >= count { spared = snapshot.name }
      if problem == nil { sound += 1 }
      kept.append(snapshot.with(problem: problem))
    }
    return SnapshotPruneReport(
      path: path, removed: removed.reversed(), kept: kept.reversed(), spared: spared,
      isDryRun: isDryRun, notes: notes)
  }
}

extension SnapshotReport {
  fileprivate func with(problem: String?) -> SnapshotReport {
    SnapshotReport(
      name: name, path: path, state: state, receipt: receipt, bytes: bytes, isNext: isNext,
      problem: problem)
  }
}
