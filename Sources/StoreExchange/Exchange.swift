import SQLite
import Platform
import StoreFormat
import StoreAccess

/// Replaces a store by a proven new one; at every instant, one of the two is at the path.
///
/// The letters and numbers in comments are those of the protocol in `Durability.md`.
struct Exchange {
  let files: StoreFiles

  /// The folder that keeps the old store and has the new one as its work file.
  let snapshot: SnapshotFolder

  /// The snapshot whose own file is the work file (g); `nil` if the work file is a new file.
  var undone: ReturningSnapshot?

  /// The hash of the old store's main file, if it was read under the lock already.
  var mainHash: String?

  /// The old store as it was found.
  struct Found {
    let main: Receipt.FileRecord
    let walHash: String?
    let snapshotHash: String
    let header: [UInt8]
    let external: [String: String]
  }

  /// Carries out steps (c) and (f) of the protocol until the new store is at the path.
  ///
  /// If a step fails before the rename, the old store's header is restored and the snapshot's
  /// folder is removed.
  ///
  /// - Parameters:
  ///   - store: The old store.
  ///   - receipt: Makes the receipt for the old store as it was found, in state pending.
  /// - Returns: The new store.
  /// - Throws: The error of the step that failed.
  func carryOut(
    on store: borrowing ExclusiveStore, _ receipt: (Found) -> Receipt
  ) throws -> Exchanged {
    var settled = SettledHeader()
    do {
      return try exchange(store, &settled, receipt)
    } catch {
      do {
        // The log and the header before the folder that has them on the disk (f.3).
        if settled.isChanged { try snapshot.restoreLog(store.folder) }
        try settled.restore(store.file.descriptor)
        try snapshot.remove()
        try undone?.restoreDone()
      } catch {
        // The next run that writes completes what is left (invariant 6).
      }
      throw error
    }
  }

  /// The new store at the path; no other process can open it before its receipt is done.
  struct Exchanged: ~Copyable {
    /// The file's descriptor, which has SQLite's exclusive lock.
    let file: FileDescriptor
    let receipt: Receipt
  }

  private func exchange(
    _ store: borrowing ExclusiveStore, _ settled: inout SettledHeader,
    _ receipt: (Found) -> Receipt
  ) throws -> Exchanged {
    let folder = try snapshot.open()
    // The receipt describes what the user had: hash it before the log is folded in.
    let main = Receipt.FileRecord(
      identity: try store.file.descriptor.status().identity,
      hash: try mainHash ?? store.file.descriptor.hash())
    let walHash = try hashOfWAL(in: store.folder)
    try settle(store, folder, &settled)
    let found = Found(
      main: main, walHash: walHash,
      snapshotHash: try walHash == nil
        ? main.hash : store.file.descriptor.hash(replacingHeader: settled.header),
      header: settled.header, external: try copyExternalData(to: folder))
    let receipt = receipt(found)
    try keepOldFile(of: store, in: folder)
    // This also syncs the folder, with the names of the old store and of the external data (f.4).
    try snapshot.write(receipt)
    // In exclusive mode, SQLite only zeroes a journal's header, and removes the file on close.
    try store.folder.removeIfPresent(files.journalName)
    // After a loss of power, no log or journal of the old file may be beside the new one (f.5,
    // invariant 2).
    try store.folder.synchronize()
    let file = try folder.open(SnapshotFolder.Entry.work.rawValue, for: .updating)
    // Without this lock, a process could open the new store before its receipt is done (f.6).
    try file.lockAsDatabase()
    try checkWork(file, receipt)
    try undone?.prepare(file, like: store.file.descriptor)
    try checkIsLockedFile(files.name, in: store.folder, store)
    // In one step: at every instant, one of the two whole stores is at the path (invariant 2).
    try folder.rename(SnapshotFolder.Entry.work.rawValue, to: files.name, in: store.folder)
    return Exchanged(file: file, receipt: receipt)
  }

  /// Refuses a work file that isn't the one that was built, or that has another hard link.
  private func checkWork(_ file: borrowing FileDescriptor, _ receipt: Receipt) throws {
    let status = try file.status()
    // A snapshot's own file keeps its name there until the store's folder is synced (g).
    let names = undone == nil ? 1 : 2
    guard status.identity == receipt.written.identity, status.linkCount == names else {
      throw StoreAccessError.inUse(files.path, holders: [])
    }
  }

  private func hashOfWAL(in folder: borrowing Directory) throws -> String? {
    guard let status = try folder.statusIfPresent(of: files.walName), status.size > 0 else {
      return nil
    }
    return try folder.open(files.walName).hash()
  }

  /// Folds in the write-ahead log and leaves WAL mode (c).
  ///
  /// A writer that opened the old file before the exchange then fails. In WAL mode, it would write
  /// old frames into the new store's log.
  private func settle(
    _ store: borrowing ExclusiveStore, _ folder: borrowing Directory,
    _ settled: inout SettledHeader
  ) throws {
    try snapshot.keepUnfinishedLog(store.folder, in: folder)
    try store.connection.walCheckpointTruncate()
    settled.header = try store.file.descriptor.read(100, at: 0)
    try snapshot.keepLog(store.folder, in: folder)
    // On the disk before the header changes: after a kill, the next run restores the header (f.3).
    try folder.replace(SnapshotFolder.Entry.header.rawValue, with: settled.header)
    // The index is removed before the log: without a log, it would say that rows are missing (c).
    try files.removeIndex(in: store.folder)
    // With the journal in memory, one page is written, and a kill can't leave a hot journal, which
    // only a writer could read past (c). In the file, MEMORY is the same as DELETE:
    // <https://www.sqlite.org/pragma.html#pragma_journal_mode>
    // Set before the statement: even if it fails, it may have changed the header.
    settled.isChanged = true
    try store.connection.execute("PRAGMA main.journal_mode = MEMORY")
    // The settled main file must be on the disk before the receipt that describes it (f.3).
    try store.file.descriptor.synchronize()
  }

  /// Keeps the old file in the snapshot: as a clone, a hard link, or else a copy (f.4).
  private func keepOldFile(
    of store: borrowing ExclusiveStore, in folder: borrowing Directory
  ) throws {
    // Only Darwin makes clones. SQLite there watches open files, and may fail from then on if one
    // gets another name.
    if let clone = try folder.clone(store.file.descriptor, as: snapshot.mainName) {
      try clone.synchronize()
      return
    }
    do throws(SystemError) {
      try store.folder.link(files.name, to: snapshot.mainName, in: folder)
    } catch {
      guard error.isUnlinkable else { throw error }
      // It has its name only once it is complete: a part of it would look like another old store.
      try folder.replace(snapshot.mainName, withCopyOf: store.file.descriptor)
      return
    }
    try checkIsLockedFile(snapshot.mainName, in: folder, store)
  }

  /// Refuses a store that another file has replaced: replacing a file needs no lock (f).
  private func checkIsLockedFile(
    _ name: String, in folder: borrowing Directory, _ store: borrowing ExclusiveStore
  ) throws {
    let identity = try store.file.descriptor.status().identity
    guard try folder.statusIfPresent(of: name)?.identity == identity else {
      throw StoreAccessError.inUse(files.path, holders: [])
    }
  }

  /// Copies the external data into the snapshot, and returns the hashes of its files (f.4).
  ///
  /// The files are copied, not linked, because an app may write to them in place.
  private func copyExternalData(to folder: borrowing Directory) throws -> [String: String] {
    guard let source = try files.openExternalData() else { return [:] }
    let target = try folder.createDirectory(SnapshotFolder.Entry.external.rawValue)
    var hashes: [String: String] = [:]
    for name in try source.list() where !StoreFiles.isDraftOfValue(name) {
      let from = try source.open(name)
      let to = try target.copy(from, as: name)
      try to.synchronize()
      hashes[name] = try to.hash()
    }
    try target.synchronize()
    return hashes
  }
}
