import Migrations
import Platform
import StoreAccess
import StoreDiagnosis
import StoreExchange
import StoreFormat
package import StoreMigration

extension StoreMigrator {
  /// Repairs a store by the protocol of apply: snapshot, new file, proof, exchange.
  ///
  /// It finds the version whose tables the store has, and makes metadata, model cache, tables, columns
  /// and indexes as that version has them. It corrects keys and entity numbers, and removes links that
  /// lead nowhere. What it can't mend it reports and leaves. `rollback` takes a repair back.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - options: The versions that the store may be at, and values for attributes without one.
  ///   - isDryRun: Whether to report what would be done, without changing a byte.
  /// - Returns: What was done, or would be. If nothing can be mended, the store isn't replaced.
  /// - Throws: A ``RepairError`` or a ``MigrationError``. The old store is then at the path with all
  ///   its rows, except after ``ExchangeError/unfinished(_:_:)``.
  /// - Complexity: O(*n*) in the bytes of the store, in constant memory.
  package func repair(
    _ path: String, _ options: RepairOptions = RepairOptions(), dryRun isDryRun: Bool = false
  ) throws -> RepairReport {
    let start = ContinuousClock.now
    var found = CrashCleanup()
    do {
      let files = try StoreFiles(resolving: path)
      let pass = RepairPass(path: path, files: files, catalog: catalog, options: options)
      // A run renames such a log, or SQLite empties it.
      let log = Diagnosis.unusableLog(of: files, path: path)
      var outcome = try StoreFiles.waiting(for: path) {
        if isDryRun {
          return try files.readingAlone(typed: path) { try RepairRun.look(pass, $0) }
        }
        try found.run(on: files, typed: path)
        let run = RepairRun(pass: pass, foundJournal: found.journal, start: start)
        return try run.carryOut(on: ExclusiveStore.take(files, typed: path))
      }
      if let log { outcome.left.insert(log, at: 0) }
      return RepairReport(
        path: path, app: outcome.chosen.version.app, version: outcome.chosen.version.name,
        evidence: outcome.chosen.evidence, mends: outcome.account.mends,
        losses: outcome.account.losses, ledger: outcome.ledger, left: outcome.left,
        snapshot: outcome.snapshot?.path(beside: path), notes: found.notes + outcome.account.notes,
        durationMilliseconds: (ContinuousClock.now - start).milliseconds)
    } catch {
      throw MigrationError(known: error, path: path) ?? error
    }
  }
}
