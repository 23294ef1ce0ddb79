import StoreAccess
import StoreExchange
package import SQLite
import StoreFormat
import Migrations
import OutboxConversion
import StoreProof

extension StoreMigrator {
  /// Changes rows of a store by the protocol of apply: snapshot, new file, proof, exchange.
  ///
  /// The changes are made in a copy that no other process sees, so they need no transaction. They
  /// may write to the tables of the model's entities and to `Z_PRIMARYKEY`; a copy in which
  /// anything else differs is refused. If nothing changes and no snapshot is to be kept, the
  /// store's file isn't replaced. `rollback` undoes an edit as it does an apply.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - command: The edit's name in receipts: the words of the command line.
  ///   - keepsSnapshot: Whether to keep a snapshot even if nothing changes.
  ///   - changes: A closure that makes the changes, through a connection with the copy as `main`.
  /// - Returns: What was done, and what the closure returned.
  /// - Throws: A ``MigrationError``, or what the closure throws. The old store is then at the path
  ///   with all its rows. Its log may be folded into the main file, and an interrupted write or run
  ///   may have been cleaned up. After ``ExchangeError/unfinished(_:_:)``, the new store is at the
  ///   path.
  /// - Complexity: O(*n*) in the bytes of the store, in constant memory.
  package func edit<Result>(
    _ path: String, as command: String, keepingSnapshot keepsSnapshot: Bool = false,
    _ changes: (borrowing Connection) throws -> Result
  ) throws -> (report: EditReport, result: Result) {
    let start = ContinuousClock.now
    var found = CrashCleanup()
    do {
      let files = try StoreFiles(resolving: path)
      return try StoreFiles.waiting(for: path) {
        try found.run(on: files, typed: path)
        let inspection = try StoreInspection(path: path, catalog: catalog)
        try inspection.store.checkEditable(typed: path)
        _ = try inspection.startingVersion(for: MigrationRequest())
        let run = EditRun(
          path: path, files: files, command: command, keepsSnapshot: keepsSnapshot,
          catalog: catalog, foundJournal: found.journal, start: start)
        let store = try ExclusiveStore.take(files, typed: path)
        let (outcome, result) = try run.carryOut(on: store, changes)
        return (
          EditReport(
            path: path, app: outcome.version.app, version: outcome.version.name,
            snapshot: outcome.snapshot?.path(beside: path), changes: outcome.changes,
            durationMilliseconds: (ContinuousClock.now - start).milliseconds, notes: found.notes),
          result
        )
      }
    } catch {
      throw MigrationError(known: error, path: path) ?? error
    }
  }

  /// Reports what an edit would do, without changing a byte of the store.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - changes: A closure that makes the changes, through a connection with a temporary copy as
  ///     `main`.
  /// - Returns: What would be done, and what the closure returned.
  /// - Throws: A ``MigrationError``, or what the closure throws.
  /// - Complexity: O(*n*) in the bytes of the store, in constant memory.
  package func tryEdit<Result>(
    _ path: String, _ changes: (borrowing Connection) throws -> Result
  ) throws -> (report: EditReport, result: Result) {
    let start = ContinuousClock.now
    do {
      let inspection = try StoreInspection(path: path, catalog: catalog)
      try inspection.store.checkEditable(typed: path)
      let version = try inspection.startingVersion(for: MigrationRequest())
      let copy = try Connection(path: "", mode: .temporary, followingLinks: false)
      try copy.keepLittleInMemory()
      try copy.copyPages(of: inspection.connection)
      let result = try changes(copy)
      let old = "old"
      try copy.attach(
        path: inspection.files.path, as: old,
        mode: inspection.isShared ? .readOnly : .readOnlyUnshared)
      try copy.attach(path: "", as: EditedRows.schema, mode: .temporary)
      let written = try EditComparison(
        path: path, store: inspection.store, old: old, new: "main"
      ).storeChanges(copy)
      return (
        EditReport(
          path: path, app: version.app, version: version.name, snapshot: nil, changes: written,
          durationMilliseconds: (ContinuousClock.now - start).milliseconds, notes: []), result
      )
    } catch {
      throw MigrationError(known: error, path: path) ?? error
    }
  }
}

extension StoreDescription {
  /// Throws if the store mirrors to CloudKit, which doesn't learn of rows that an edit writes.
  func checkEditable(typed path: String) throws(VersionError) {
    if isMirrored { throw .mirrored(path, .edit) }
  }
}
