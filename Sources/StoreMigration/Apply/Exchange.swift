import Platform
import SQLite
import StoreFormat
import Migrations
import StoreAccess
import RowRewriting

/// Puts a proven new store in the old one's place, so that at every instant one of the two is there.
struct Exchange {
  let files: StoreFiles

  /// The folder that keeps the old store and has the new one as its work file.
  let snapshot: SnapshotFolder

  /// The snapshot whose own file the work file is; none where that is a file by itself.
  var undone: ReturningSnapshot?

  /// The receipt for what the old store was, still pending.
  let receipt: (Found) -> Receipt

  /// What is left to do between the rename and the receipt that says done.
  let settlement: Settlement

  /// The hashes of the old store's main file, where it was read under the lock already.
  var mainHashes: FileHashes?

  /// What the old store was.
  struct Found {
    let main: Receipt.FileRecord
    let walHash: String?
    let snapshotHashes: FileHashes
    let header: [UInt8]
    let external: [String: String]
  }

  /// Steps (c) and (f) of the protocol.
  ///
  /// If one fails before the rename, the old store gets back the header that it had, and the snapshot's
  /// folder goes.
  func carryOut(on store: consuming ExclusiveStore) throws {
    var settled = SettledHeader()
    let exchanged: Exchanged
    do {
      exchanged = try exchange(store, &settled)
    } catch {
      do {
        try settled.restore(store.file.descriptor)
        try snapshot.remove()
        try undone?.keep()
      } catch {
        // The folder keeps the header: the next run that writes puts it back.
      }
      try? store.release()
      throw error
    }
    do throws(SystemError) {
      try finish(exchanged.receipt)
    } catch {
      try? store.release()
      throw ExchangeError.unfinished(files.path, error)
    }
    // An empty log goes before anybody may open the new store and make one.
    try store.release()
    _ = consume exchanged
  }

  /// The new store at the path, which nobody opens before the receipt says done.
  struct Exchanged: ~Copyable {
    /// Has the lock that keeps others out.
    let file: FileDescriptor
    let receipt: Receipt
  }

  private func exchange(
    _ store: borrowing ExclusiveStore, _ settled: inout SettledHeader
  ) throws -> Exchanged {
    let main = Receipt.FileRecord(
      identity: try store.file.descriptor.status().identity,
      hashes: try mainHashes ?? store.file.descriptor.hashes())
    let walHash = try hashOfWAL()
    try settle(store, &settled)
    let found = Found(
      main: main, walHash: walHash,
      snapshotHashes: try walHash == nil
        ? main.hashes : store.file.descriptor.hashes(replacingHeader: settled.header),
      header: settled.header, external: try copyExternalData())
    let receipt = self.receipt(found)
    try keep(store)
    // The folder is synced with it.
    try snapshot.write(receipt)
    // In exclusive mode SQLite empties a journal's header and leaves the file until it closes.
    try FileSystem.removeIfPresent(files.journal)
    // No log of the old file may come back beside the new one.
    try FileSystem.synchronizeDirectory(files.folder)
    let file = try FileDescriptor(opening: snapshot.workFile, for: .updating)
    try file.lockAsDatabase()
    try checkWork(file, receipt)
    try undone?.prepare(file, like: store.file.descriptor)
    try checkPlace(files.path, store)
    try FileSystem.rename(snapshot.workFile, to: files.path)
    return Exchanged(file: file, receipt: receipt)
  }

  /// Refuses a work file that isn't the one that was made, or that somebody has a name for.
  private func checkWork(_ file: borrowing FileDescriptor, _ receipt: Receipt) throws {
    let status = try file.status()
    let names: UInt64 = undone == nil ? 1 : 2
    guard status.identity == receipt.written.identity, UInt64(status.linkCount) == names else {
      throw StoreAccessError.inUse(files.path, holders: [])
    }
  }

  /// What is left to do once the new store is at the path; ``Recovery`` does the same after a kill.
  private func finish(_ pending: Receipt) throws(SystemError) {
    try FileSystem.synchronizeDirectory(files.folder)
    try settlement.finish(pending)
    // The receipt has it, too; done says that nothing is left to do.
    try FileSystem.remove(snapshot.headerFile)
    try settlement.forget(pending)
    try snapshot.mark(pending, as: .done)
  }

  private func hashOfWAL() throws -> String? {
    guard let status = try FileStatus.ifPresent(at: files.wal), status.size > 0 else { return nil }
    return Hexadecimal.encode(try sha256(ofFile: files.wal))
  }

  /// Folds in the write-ahead log and leaves WAL mode.
  ///
  /// A writer that opened the old file before the exchange then fails; in WAL mode it would write old
  /// frames into the new store's log.
  private func settle(_ store: borrowing ExclusiveStore, _ settled: inout SettledHeader) throws {
    try store.connection.walCheckpointTruncate()
    settled.header = try store.file.descriptor.read(100, at: 0)
    // A run that is killed from here on leaves what it takes to put the header back.
    try FileSystem.replace(snapshot.headerFile, with: settled.header)
    // The log goes next, and its index would say that one is missing.
    try FileSystem.removeIfPresent(files.sharedMemory)
    // With the journal in memory one page is written and no journal is left, wherever a run is killed: a
    // hot one could be read by nobody who may not write. In the file it says the same as DELETE.
    settled.isChanged = true
    try store.connection.execute("PRAGMA main.journal_mode = MEMORY")
    try store.file.descriptor.synchronize()
  }

  /// Keeps the old file in the snapshot: another name for it, or a copy where that can't be.
  private func keep(_ store: borrowing ExclusiveStore) throws {
    do throws(SystemError) {
      try FileSystem.link(files.path, to: snapshot.mainFile)
    } catch {
      guard error.isUnlinkable else { throw error }
      try copyMainFile(of: store)
      return
    }
    try checkPlace(snapshot.mainFile, store)
  }

  private func copyMainFile(of store: borrowing ExclusiveStore) throws(SystemError) {
    let copy = try FileDescriptor(creating: snapshot.mainFile)
    try copy.copyContents(of: store.file.descriptor)
    try copy.synchronize()
  }

  /// Refuses a store that was replaced by another file, by somebody who asks for no lock.
  private func checkPlace(_ path: String, _ store: borrowing ExclusiveStore) throws {
    let identity = try store.file.descriptor.status().identity
    guard try FileStatus.ifPresent(at: path)?.identity == identity else {
      throw StoreAccessError.inUse(files.path, holders: [])
    }
  }

  private func copyExternalData() throws -> [String: String] {
    let source = files.externalDataFolder
    guard let status = try FileStatus.ifPresent(at: source), status.kind == .directory else {
      return [:]
    }
    try FileSystem.createDirectory(snapshot.externalFolder, mode: 0o700)
    var hashes: [String: String] = [:]
    for name in try FileSystem.list(source) {
      let from = try FileDescriptor(opening: "\(source)/\(name)", followingLinks: false)
      let to = try FileDescriptor(creating: "\(snapshot.externalFolder)/\(name)")
      try to.copyContents(of: from)
      try to.synchronize()
      hashes[name] = Hexadecimal.encode(try to.sha256())
    }
    try FileSystem.synchronizeDirectory(snapshot.externalFolder)
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
