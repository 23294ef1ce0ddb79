import StoreAccess
import StoreExchange
import Platform
import StoreFormat

extension StoreMigrator {
  /// Takes a store back to the snapshot of its last apply, or to another.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - name: The snapshot's name, or a path that ends with it; `nil` for the newest.
  ///   - laterWrites: How to treat what was written since; `nil` to refuse if there is anything.
  ///   - dryRun: Whether to report what would be done, without writing.
  /// - Returns: What was done, or would be.
  /// - Throws: A ``MigrationError``, such as `RequestError.laterChanges(_:since:)` if something was
  ///   written since and `laterWrites` is `nil`. The present store is then still at the path,
  ///   except after `ExchangeError.unfinished(_:_:)`.
  public func rollback(
    _ path: String, to name: String? = nil, laterWrites: LaterWrites? = nil, dryRun: Bool = false
  ) throws(MigrationError) -> RollbackReport {
    try reported(path) {
      let clock = ContinuousClock()
      let start = clock.now
      let files = try StoreFiles(resolving: path)
      var found = CrashCleanup()
      return try StoreFiles.waiting(for: path) {
        if dryRun {
          try files.checkHeader(typed: path)
        } else {
          try found.run(on: files, typed: path)
        }
        let (snapshot, receipt) = try Self.snapshot(named: name, of: files, typed: path)
        let run = RollbackRun(
          path: path, files: files, snapshot: snapshot, receipt: receipt, laterWrites: laterWrites,
          catalog: catalog, foundJournal: found.journal, start: start)
        let outcome = try dryRun ? run.look() : run.carryOut()
        // The snapshot's file was open until now. If this fails, the next run removes the rest.
        if !dryRun { try? snapshot.removeRest() }
        return RollbackReport(
          path: path, from: outcome.from, to: receipt.from,
          undoneCommand: receipt.commandAtSameVersion, snapshot: snapshot.path(beside: path),
          kept: outcome.kept?.path(beside: path), changes: outcome.changes, merged: outcome.merged,
          parked: outcome.parked, parkedFile: outcome.parkedFile(of: files),
          isExact: outcome.isExact, lacksMigrations: catalog.lacksMigrations(of: receipt),
          lacksRecord: try run.lacksRecord(outcome), isDryRun: dryRun,
          durationMilliseconds: (clock.now - start).milliseconds, notes: found.notes + outcome.notes
        )
      }
    }
  }

  private static func snapshot(
    named name: String?, of files: StoreFiles, typed path: String
  ) throws -> (SnapshotFolder, Receipt) {
    guard let name else {
      guard let newest = try SnapshotFolder.newest(of: files) else {
        throw ExchangeError.noSnapshot(path)
      }
      return newest
    }
    let wanted = FileSystem.name(of: name)
    if let folder = try SnapshotFolder.all(of: files).first(where: { $0.name == wanted }),
      let receipt = try folder.receipt(), try folder.isDone(receipt)
    {
      return (folder, receipt)
    }
    throw ExchangeError.unknownSnapshot(
      name, known: try SnapshotFolder.done(of: files).map(\.0.name))
  }
}

extension RollbackRun.Outcome {
  /// What the merge couldn't restore, in words.
  fileprivate var notes: [String] {
    var notes: [String] = []
    if emptied > 0 {
      notes.append(
        emptied == 1
          ? "1 link that came back leads nowhere: its row was deleted since"
          : "\(emptied) links that came back lead nowhere: their rows were deleted since")
    }
    if replaced > 0 {
      notes.append(
        replaced == 1
          ? "1 one-to-one link didn't come back: the other row has another link since"
          : "\(replaced) one-to-one links didn't come back: the other rows have other links since")
    }
    return notes
  }

  /// The name of the file of parked values beside the store; `nil` if nothing was parked.
  fileprivate func parkedFile(of files: StoreFiles) -> String? {
    parked.isEmpty ? nil : kept?.parkedName
  }
}
