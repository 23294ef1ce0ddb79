import StoreExchange
import Platform
package import SQLite
import StoreFormat
import Migrations
import StoreAccess
import RowRewriting
import OutboxConversion
import StoreProof

extension StoreMigrator {
  /// Changes rows of a store behind the protocol of apply: snapshot, new file, proof, exchange.
  ///
  /// The changes are made in a copy, which nobody else sees, so they need no transaction. They may write rows of
  /// the model's tables and `Z_PRIMARYKEY`; a copy that differs in anything else is refused. Where they change
  /// nothing, the store stays the file that it is. `rollback` takes an edit back as it does an apply.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - command: What the edit is called in receipts: the words of the command line.
  ///   - keepsSnapshot: Whether there is a snapshot even where nothing was changed.
  ///   - changes: Makes the changes, through a connection that has the copy as `main`.
  /// - Returns: What was done, and what the changes returned.
  /// - Throws: A ``MigrationError``, or what the changes throw; the old store then stands at the path, byte for
  ///   byte, but after ``ExchangeError/unfinished(_:_:)`` the new one.
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
        try found.settle(files, typed: path)
        _ = try StoreInspection(path: path, catalog: catalog)
          .startingVersion(for: MigrationRequest())
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

  /// Says what an edit would do, leaving every byte of the store as it was.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - changes: Makes the changes, through a connection that has a temporary copy as `main`.
  /// - Returns: What would be done, and what the changes returned.
  /// - Throws: A ``MigrationError``, or what the changes throw.
  /// - Complexity: O(*n*) in the bytes of the store, in constant memory.
  package func tryEdit<Result>(
    _ path: String, _ changes: (borrowing Connection) throws -> Result
  ) throws -> (report: EditReport, result: Result) {
    let start = ContinuousClock.now
    do {
      let inspection = try StoreInspection(path: path, catalog: catalog)
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
      ).keep(copy)
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
