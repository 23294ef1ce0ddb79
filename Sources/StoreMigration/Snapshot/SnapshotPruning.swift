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
  /// - Throws: A ``MigrationError``, such as `StoreAccessError.inUse(_:holders:)` if another
  ///   process has the store open.
  /// - Complexity: O(*n*) in the bytes of the snapshots that are kept.
  public func pruneSnapshots(
    of path: String, keeping count: Int, force: Bool = false, dryRun: Bool = false
  ) throws(MigrationError) -> SnapshotPruneReport {
    try prune(.allButNewest(count), of: path, force: force, dryRun: dryRun)
  }

  /// Removes one snapshot of a store, or the folder of one that a killed run left.
  ///
  /// The snapshot that a rollback would restore, one with quarantined rows, and a folder that
  /// doesn't count as a snapshot are left unchanged, unless you force it.
  ///
  /// - Parameters:
  ///   - name: The name of the snapshot's folder.
  ///   - path: The path of the store's main file.
  ///   - force: Whether to remove it although something may need it.
  ///   - dryRun: Whether to report what would be removed, without removing it.
  /// - Returns: What was removed, or would be.
  /// - Throws: A ``MigrationError``, such as `ExchangeError.unknownSnapshot(_:known:)`.
  /// - Complexity: O(*n*) in the number of the snapshots' files.
  public func removeSnapshot(
    named name: String, of path: String, force: Bool = false, dryRun: Bool = false
  ) throws(MigrationError) -> SnapshotPruneReport {
    try prune(.one(name), of: path, force: force, dryRun: dryRun)
  }

  private func prune(
    _ choice: PruneRun.Choice, of path: String, force: Bool, dryRun: Bool
  ) throws(MigrationError) -> SnapshotPruneReport {
    try reported(path) {
      let files = try StoreFiles(resolving: path)
      let run = PruneRun(path: path, files: files, choice: choice, force: force)
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
  /// What to remove.
  enum Choice {
    /// All but this number of sound snapshots, the newest.
    case allButNewest(Int)

    /// The snapshot of this name.
    case one(String)
  }

  /// The path as it was typed.
  let path: String
  let files: StoreFiles

  let choice: Choice

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
    let decision =
      switch choice {
      case .allButNewest(let count): try decide(all, newest, keeping: count)
      case .one(let name): try decide(all, newest, removing: name)
      }
    return SnapshotPruneReport(
      path: path, removed: decision.removed, kept: decision.kept, spared: decision.spared,
      quarantined: decision.quarantined, isDryRun: isDryRun, notes: notes)
  }

  /// What becomes of each snapshot; all lists are ordered from the oldest to the newest.
  fileprivate struct Decision {
    var (removed, kept): ([SnapshotReport], [SnapshotReport]) = ([], [])
    var (spared, quarantined): (String?, [String]) = (nil, [])
  }

  private func decide(
    _ all: [SnapshotReport], _ newest: String?, keeping count: Int
  ) throws -> Decision {
    var decision = Decision()
    var sound = 0
    for snapshot in all.reversed() {
      guard snapshot.state == .done, let receipt = snapshot.receipt else {
        decision.kept.insert(snapshot, at: 0)
        continue
      }
      let isSpared = snapshot.name == newest && !force
      let hasQuarantine = try hasQuarantine(snapshot)
      if sound >= count && !isSpared && (force || !hasQuarantine) {
        decision.removed.insert(snapshot, at: 0)
        continue
      }
      let problem = try SnapshotFolder(files: files, name: snapshot.name).problem(receipt)
      if sound >= count { decision.spare(snapshot, isNewest: isSpared) }
      if problem == nil { sound += 1 }
      decision.kept.insert(snapshot.with(problem: problem), at: 0)
    }
    return decision
  }

  private func decide(
    _ all: [SnapshotReport], _ newest: String?, removing name: String
  ) throws -> Decision {
    guard let place = all.firstIndex(where: { $0.name == name }) else {
      throw ExchangeError.unknownSnapshot(name, known: all.map(\.name))
    }
    var decision = Decision()
    decision.kept = all
    let isNeeded = try name == newest || hasQuarantine(all[place])
    if force || all[place].state == .done && !isNeeded {
      decision.removed = [decision.kept.remove(at: place)]
    } else if all[place].state == .done {
      decision.spare(all[place], isNewest: name == newest)
    } else {
      decision.kept[place] = all[place].with(
        problem: "it may hold the only copy of a store; '--force' removes it")
    }
    return decision
  }

  /// Whether rows were kept out of the store, which are nowhere else.
  ///
  /// After a rollback, the rows are in the store.
  private func hasQuarantine(_ snapshot: SnapshotReport) throws -> Bool {
    guard snapshot.receipt?.kind == .apply else { return false }
    let folder = SnapshotFolder(files: files, name: snapshot.name)
    return try folder.file(.quarantine).statusIfPresent() != nil
  }
}

extension PruneRun.Decision {
  fileprivate mutating func spare(_ snapshot: SnapshotReport, isNewest: Bool) {
    if isNewest { spared = snapshot.name } else { quarantined.insert(snapshot.name, at: 0) }
  }
}

extension SnapshotReport {
  fileprivate func with(problem: String?) -> SnapshotReport {
    SnapshotReport(
      name: name, path: path, state: state, receipt: receipt, bytes: bytes, isNext: isNext,
      problem: problem)
  }
}
