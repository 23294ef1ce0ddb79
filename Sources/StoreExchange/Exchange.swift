import Platform
import SQLite
import StoreFormat
import StoreAccess

/// Puts a proven new store in the old one's place, so that at every instant one of the two is there.
struct Exchange {
  let files: StoreFiles

  /// The folder that keeps the old store and has the new one as its work file.
  let snapshot: SnapshotFolder

  /// The snapshot whose own file the work file is; `nil` if that is a file by itself.
  var undone: ReturningSnapshot?

  /// The hashes of the old store's main file, if it was read under the lock already.
  var mainHashes: FileHashes?

  /// What the old store was.
  struct Found {
    let main: Receipt.FileRecord
    let walHash: String?
    let snapshotHashes: FileHashes
    let header: [UInt8]
    let external: [String: String]
  }

  /// Carries out steps (c) and (f) of the protocol until the new store is at the path.
  ///
  /// If one fails, the old store gets back the header that it had, and the snapshot's folder goes.
  ///
  /// - Parameters:
  ///   - store: The old store.
  ///   - receipt: Makes the receipt for what the old store was, still pending.
  /// - Returns: The new store.
  /// - Throws: What failed.
  func carryOut(
    on store: borrowing ExclusiveStore, _ receipt: (Found) -> Receipt
  ) throws -> Exchanged {
    var settled = SettledHeader()
    do {
      return try exchange(store, &settled, receipt)
    } catch {
      do {
        try settled.restore(store.file.descriptor)
        try snapshot.remove()
        try undone?.keep()
      } catch {
        // The folder keeps the header: the next run that writes puts it back.
      }
      throw error
    }
  }

  /// The new store at the path, which no other process opens before the receipt says done.
  struct Exchanged: ~Copyable {
    /// Has the lock that keeps others out.
    let file: FileDescriptor
    let receipt: Receipt
  }

  private func exchange(
    _ store: borrowing ExclusiveStore, _ settled: inout SettledHeader,
    _ receipt: (Found) -> Receipt
  ) throws -> Exchanged {
    let folder = try snapshot.open()
    // Found is what the user had: hashed before the log is folded in.
    let main = Receipt.FileRecord(
      identity: try store.file.descriptor.status().identity,
      hashes: try mainHashes ?? store.file.descriptor.hashes())
    let walHash = try hashOfWAL(in: store.folder)
    try settle(store, folder, &settled)
    let found = Found(
      main: main, walHash: walHash,
      snapshotHashes: try walHash == nil
        ? main.hashes : store.file.descriptor.hashes(replacingHeader: settled.header),
      header: settled.header, external: try copyExternalData(to: folder))
    let receipt = receipt(found)
    try keep(store, in: folder)
    // Syncs the folder, and so the names of the old store and the large values (f.4).
    try snapshot.write(receipt)
    // In exclusive mode SQLite only zeroes a journal's header, and removes the file when it closes.
    try store.folder.removeIfPresent(files.journalName)
    // After a loss of power no log or journal of the old file may be back beside the new one (f.5, invariant 2).
    try store.folder.synchronize()
    let file = try folder.open(SnapshotFolder.Entry.work.rawValue, for: .updating)
    // Without it a process could open the new store between the rename and the receipt that says done.
    try file.lockAsDatabase()
    try checkWork(file, receipt)
    try undone?.prepare(file, like: store.file.descriptor)
    try checkPlace(files.name, in: store.folder, store)
    try folder.rename(SnapshotFolder.Entry.work.rawValue, to: files.name, in: store.folder)
    return Exchanged(file: file, receipt: receipt)
  }

  /// Refuses a work file that isn't the one that was built, or that has a further name.
  private func checkWork(_ file: borrowing FileDescriptor, _ receipt: Receipt) throws {
    let status = try file.status()
    // A snapshot's own file keeps its name there until the store's folder is synced.
    let names = undone == nil ? 1 : 2
    guard status.identity == receipt.written.identity, status.linkCount == names else {
      throw StoreAccessError.inUse(files.path, holders: [])
    }
  }

  /// Does what is left once the new store is at the path (f.6, f.7); ``Recovery`` does the same after a kill.
  func finish(
    _ pending: Receipt, _ beside: borrowing Directory
  ) throws(SystemError) {
    let steps = PostExchangeSteps(files: files, snapshot: snapshot)
    // The rename is on the disk before anything that it makes superfluous goes.
    try beside.synchronize()
    try steps.finish(pending)
    // The receipt has the header, too; with this file gone, done means that nothing is left to do.
    try snapshot.open().remove(SnapshotFolder.Entry.header.rawValue)
    try steps.forget(pending)
    try snapshot.mark(pending, as: .done)
  }

  private func hashOfWAL(in folder: borrowing Directory) throws -> String? {
    guard let status = try folder.statusIfPresent(of: files.walName), status.size > 0 else {
      return nil
    }
    return Hexadecimal.encode(try folder.open(files.walName).sha256())
  }

  /// Folds in the write-ahead log and leaves WAL mode (c).
  ///
  /// A writer that opened the old file before the exchange then fails; in WAL mode it would write old
  /// frames into the new store's log.
  private func settle(
    _ store: borrowing ExclusiveStore, _ folder: borrowing Directory,
    _ settled: inout SettledHeader
  ) throws {
    try store.connection.walCheckpointTruncate()
    settled.header = try store.file.descriptor.read(100, at: 0)
    // On the disk before the header changes: a run that is killed from here on leaves what restores it.
    try folder.replace(SnapshotFolder.Entry.header.rawValue, with: settled.header)
    // The index goes before the log does: alone, it would say that a log is missing.
    try store.folder.removeIfPresent(files.sharedMemoryName)
    // With the journal in memory one page is written and no journal file is left, wherever a run is killed: a
    // hot journal stops every process that may not write. In the file, MEMORY is the same as DELETE.
    // <https://www.sqlite.org/pragma.html#pragma_journal_mode>
    settled.isChanged = true
    try store.connection.execute("PRAGMA main.journal_mode = MEMORY")
    try store.file.descriptor.synchronize()
  }

  /// Keeps the old file in the snapshot: by a second name, or as a copy if it can't have one.
  private func keep(_ store: borrowing ExclusiveStore, in folder: borrowing Directory) throws {
    do throws(SystemError) {
      try store.folder.link(files.name, to: snapshot.mainName, in: folder)
    } catch {
      guard error.isUnlinkable else { throw error }
      let copy = try folder.create(snapshot.mainName)
      try copy.copyContents(of: store.file.descriptor)
      try copy.synchronize()
      return
    }
    try checkPlace(snapshot.mainName, in: folder, store)
  }

  /// Refuses a store that was replaced by another file: a process that renames asks for no lock.
  private func checkPlace(
    _ name: String, in folder: borrowing Directory, _ store: borrowing ExclusiveStore
  ) throws {
    let identity = try store.file.descriptor.status().identity
    guard try folder.statusIfPresent(of: name)?.identity == identity else {
      throw StoreAccessError.inUse(files.path, holders: [])
    }
  }

  /// Copies the files of large values into the snapshot, and returns their hashes.
  ///
  /// They are copies, because an app may write to the files themselves.
  private func copyExternalData(to folder: borrowing Directory) throws -> [String: String] {
    guard let source = try files.openExternalData() else { return [:] }
    let target = try folder.createDirectory(SnapshotFolder.Entry.external.rawValue)
    var hashes: [String: String] = [:]
    for name in try source.list() {
      let from = try source.open(name)
      let to = try target.create(name)
      try to.copyContents(of: from)
      try to.synchronize()
      hashes[name] = Hexadecimal.encode(try to.sha256())
    }
    try target.synchronize()
    return hashes
  }
}

/// The first 100 bytes of a store before its journal mode was changed, to be put back.
struct SettledHeader {
  var header: [UInt8] = []
  var isChanged = false

  func restore(_ file: borrowing FileDescriptor) throws {
    guard isChanged else { return }
    try file.write(header, at: 0)
    try file.synchronize()
  }
}
