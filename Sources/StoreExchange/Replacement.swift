import StoreFormat
import Platform
import StoreAccess

/// An exchange of a store for a new file, with a snapshot that keeps the old one.
///
/// Apply, edit and rollback are replacements. A replacement begins with an empty folder for the
/// snapshot, in which the run builds and proves the new store, and ends with ``exchange(_:)``. The
/// letters are those of the protocol in `Durability.md`.
///
/// # Invariants
///
/// 1. The store stays locked as long as the value exists.
/// 2. Unless the new store took its place, the store is the old one when the value is gone, and the
///    folder is removed. The next run that writes removes what a failed cleanup leaves.
package struct Replacement: ~Copyable {
  /// The old store, which this process alone can read and write (b).
  package let store: ExclusiveStore

  /// The folder that will keep the old store, and that the new one is built in.
  package let snapshot: SnapshotFolder
  private let run: Run

  /// Whether the folder was removed, or has what a killed or failed exchange needs.
  private var isOver = false

  /// Creates the snapshot's folder.
  ///
  /// - Parameters:
  ///   - store: The locked store. All other checks before writing have passed (a).
  ///   - path: The path as it was typed.
  ///   - run: What the receipt says about the run.
  /// - Throws: An ``ExchangeError`` if a new file can't take the store's place; a
  ///   ``StoreAccessError`` if the folder can't be created.
  package init(of store: consuming ExclusiveStore, typed path: String, by run: Run) throws {
    // A run that was killed since the recovery may have changed the header: begin again (b).
    guard try Recovery(files: store.files).isFinished(on: store) else {
      throw StoreAccessError.inUse(path, holders: [])
    }
    try store.checkFiles(typed: path)
    try store.files.checkNames(from: run.from, to: run.to, typed: path)
    let folder: SnapshotFolder
    do throws(SystemError) {
      folder = try SnapshotFolder.create(for: store.files, from: run.from, to: run.to)
    } catch {
      throw StoreAccessError.cannotCreate(error)
    }
    do {
      try store.checkOwner(like: folder, typed: path)
    } catch {
      try? folder.remove()
      throw error
    }
    snapshot = folder
    self.run = run
    self.store = store
  }

  // Until the exchange, only the folder was written to, and missing external data restored. The
  // first error is reported. If this fails too, the next run that writes cleans up.
  deinit { if !isOver { try? snapshot.remove() } }

  /// Leaves the store as it is, without a snapshot.
  package consuming func cancel() throws {
    isOver = true
    try snapshot.remove()
    try release()
  }

  /// Puts the new store in the old one's place.
  ///
  /// If a step before the rename fails, the old store stays at the path with all its rows; its log
  /// may be folded into the main file.
  ///
  /// From here on, a stop signal doesn't end the run.
  ///
  /// - Throws: A ``StoreAccessError`` or an ``ExchangeError``; a ``SystemError`` if a stop signal
  ///   came before; after
  ///   ``ExchangeError/unfinished(_:_:)`` the new store is at the path.
  package consuming func exchange(_ draft: Draft) throws {
    try StopSignal.completeRun()
    // Closing any descriptor of the file drops its lock (POSIX), so keep this one open until the
    // exchange is done.
    defer { withExtendedLifetime(draft.undone?.own) {} }
    let exchange = Exchange(
      files: store.files, snapshot: snapshot,
      undone: draft.undone.flatMap { undone in
        undone.own.map { _ in
          ReturningSnapshot(snapshot: undone.snapshot, receipt: undone.receipt)
        }
      }, mainHash: draft.mainHash)
    // A failed exchange knows whether the folder still has what the store needs.
    isOver = true
    let (run, files) = (run, store.files)
    let exchanged = try exchange.carryOut(on: store) {
      run.receipt(for: draft, of: files, found: $0)
    }
    do throws(SystemError) {
      try PostExchangeSteps(files: files, snapshot: snapshot)
        .complete(exchanged.receipt, in: store.folder)
    } catch {
      try? release()
      throw ExchangeError.unfinished(files.path, error)
    }
    // An empty log goes before anyone may open the new store and create one.
    try release()
    // The new file's lock outlives the old one's: between them a process could open it before its
    // receipt is done.
    _ = consume exchanged
  }

  private consuming func release() throws(SystemError) { try store.removeEmptyLog() }
}
