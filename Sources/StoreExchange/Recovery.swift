import StoreModel
import Platform
package import StoreFormat
import StoreAccess

/// Finds what killed runs left beside a store, and completes or discards it (invariant 6).
///
/// A run that was killed leaves a snapshot's folder without a receipt, or with a pending one. The
/// identity of the file at the store's path shows whether its exchange happened: the new file has
/// another inode. The letters in comments are those of the protocol in `Durability.md`.
package struct Recovery {
  let files: StoreFiles

  package init(files: StoreFiles) { self.files = files }

  /// Finds the leftovers, without changing anything.
  package func leftovers() throws -> [Leftover] {
    try leftovers(
      { try files.openFolder().open(files.name).read(100, at: 0) },
      { try files.openFolder().open(files.name).hash() },
      { try OpenedStore.open(files, typed: files.path).description.digest })
  }

  /// Finds the leftovers; reads the store's header, hash and model's digest only if needed.
  private func leftovers(
    _ header: () throws -> [UInt8], _ hash: () throws -> String, _ digest: () throws -> String?
  ) throws -> [Leftover] {
    let found: [Leftover] = try SnapshotFolder.all(of: files).compactMap { folder in
      do {
        return try leftover(of: folder, folder.receipt(), header, hash, digest)
      } catch ExchangeError.badSnapshot {
        return .unreadable(folder)
      }
    }
    // In a copy of the folder, the store isn't the snapshot's file, but an exchange shows what it is.
    let obsolete = found.compactMap(\.obsoleteSnapshot)
    return try found.map { entry in
      guard case .notReturned(let folder, _) = entry, obsolete.contains(folder.name) else {
        return entry
      }
      return .halfRemoved(folder)
    } + files.draftsOfValues().map { .draftOfValue($0) }
  }

  /// Classifies a folder by its receipt and the file at the store's path; `nil` if nothing is left.
  private func leftover(
    of folder: SnapshotFolder, _ receipt: Receipt?, _ header: () throws -> [UInt8],
    _ hash: () throws -> String, _ digest: () throws -> String?
  ) throws -> Leftover? {
    // Without the lock, another run may remove a folder at any time.
    guard let opened = try folder.openIfPresent() else { return nil }
    guard let receipt else {
      let kept = try self.header(in: opened)
      // A store that was settled, and isn't written to since, is the old one (c).
      let isSettled = try kept.map { try header().isHeaderBeforeSettling($0) } ?? false
      return try isSettled || isRedundant(folder, header, hash)
        ? .unfinished(folder, header: kept) : .unclear(folder)
    }
    switch receipt.state {
    case .done: return try leftoverOfDone(folder, opened)
    case .removing: return .halfRemoved(folder)
    case .returning:
      return try folder.hasReturned() ? .halfRemoved(folder) : .notReturned(folder, receipt)
    case .pending: break
    }
    let identity = try files.identity
    if identity == receipt.written.identity { return .exchanged(folder, receipt) }
    if identity == receipt.found.identity { return .unfinished(folder, header: receipt.header) }
    // The store was copied since. If the work file is there, the rename didn't happen. If not, the
    // store's model shows which of the two files it is.
    let isWorkThere = try opened.has(SnapshotFolder.Entry.work.rawValue)
    if !isWorkThere && (try? digest()) == receipt.digest {
      return .exchanged(folder, receipt)
    }
    return try isRedundant(folder, header, hash)
      ? .unfinished(folder, header: receipt.header) : .unclear(folder)
  }

  private func leftoverOfDone(
    _ folder: SnapshotFolder, _ opened: borrowing Directory
  ) throws(SystemError) -> Leftover? {
    if try opened.has(SnapshotFolder.receiptDraft) { return .kept(folder) }
    return try opened.hasPassingFiles ? .finished(folder) : nil
  }

  /// Returns whether removing a folder loses nothing: it has no old store, or the one at the path.
  private func isRedundant(
    _ folder: SnapshotFolder, _ header: () throws -> [UInt8], _ hash: () throws -> String
  ) throws -> Bool {
    guard let opened = try folder.openIfPresent(),
      let kept = try opened.statusIfPresent(of: folder.mainName)
    else { return true }
    if try kept.identity == files.identity { return true }
    // It is unknown what a link or a pipe stands for: it isn't read, and the folder stays (j).
    guard kept.kind == .regular, kept.size >= 100 else { return false }
    // The copy of a settled store may differ from the store in what settling changed (c).
    let file = try opened.open(folder.mainName)
    let header = try header()
    guard try file.read(100, at: 0).isHeader(header) else { return false }
    return try file.hash(replacingHeader: header) == hash()
  }

  /// Completes or discards the leftovers, and returns a sentence about each.
  ///
  /// Only commands that write call it. If another process has the store open, nothing is changed.
  /// Only what is found under the lock counts: before, it may be the work of a run in progress (b).
  func finish(typed path: String) throws -> [String] {
    if try leftovers().isEmpty { return [] }
    let store = try ExclusiveStore.take(files, typed: path)
    let leftovers = try leftovers(on: store)
    // Exchanges first: the steps after one may need what is in a folder that is then removed.
    for entry in leftovers.filter(\.isExchanged) + leftovers.filter({ !$0.isExchanged }) {
      try finish(entry, on: store)
    }
    try store.release()
    return leftovers.map(\.description)
  }

  /// Returns whether nothing is left that ``finish(typed:)`` would complete or discard.
  ///
  /// A run asks under its own lock: another may have been killed since the recovery (b).
  func isFinished(on store: borrowing ExclusiveStore) throws -> Bool {
    try leftovers(on: store).allSatisfy(\.isLeftUnchanged)
  }

  /// Finds the leftovers through the descriptor and the connection that hold the lock.
  ///
  /// Closing another descriptor would drop the lock (d).
  private func leftovers(on store: borrowing ExclusiveStore) throws -> [Leftover] {
    try leftovers(
      { try store.file.descriptor.read(100, at: 0) },
      { try store.file.descriptor.hash() },
      { try StoreDescription(reading: store.connection).digest })
  }

  private func finish(
    _ entry: Leftover, on store: borrowing ExclusiveStore
  ) throws(SystemError) {
    // The steps after another exchange may have removed it.
    if let folder = entry.folder, try folder.openIfPresent() == nil { return }
    switch entry {
    case .exchanged(let folder, let receipt):
      try PostExchangeSteps(files: files, snapshot: folder).complete(receipt, in: store.folder)
    case .unfinished(let folder, let header):
      // The header before the folder that has it on the disk (f.3).
      if let header { try restore(header, of: folder, store) }
      try folder.remove()
    case .halfRemoved(let folder): try folder.remove()
    case .kept(let folder), .finished(let folder):
      let opened = try folder.open()
      try opened.removeIfPresent(SnapshotFolder.receiptDraft)
      try opened.removePassingFiles()
    case .notReturned(let folder, let receipt):
      try ReturningSnapshot(snapshot: folder, receipt: receipt).restoreDone()
    case .draftOfValue(let name): try files.removeDraftOfValue(name)
    case .unreadable, .unclear: break
    }
  }

  /// Restores the header that the run had changed, if the store is otherwise unchanged (c, j).
  private func restore(
    _ header: [UInt8], of folder: SnapshotFolder, _ store: borrowing ExclusiveStore
  ) throws(SystemError) {
    let present = try store.file.descriptor.read(100, at: 0)
    let isSettled = present.isHeaderBeforeSettling(header)
    guard isSettled || present == header else { return }
    // The index first: in WAL mode, a store with an index and no log counts as missing its log (c).
    if try !files.hasLog { try files.removeIndex(in: store.folder) }
    guard isSettled else { return }
    // The header last: until then, the next run repeats these steps.
    try folder.restoreLog(store.folder)
    try store.file.descriptor.write(header, at: 0)
    try store.file.descriptor.synchronize()
  }

  /// Reads the header that a run was about to change; `nil` if the run didn't get that far.
  private func header(in folder: borrowing Directory) throws(SystemError) -> [UInt8]? {
    let name = SnapshotFolder.Entry.header.rawValue
    // The file is complete before the store's header changes (f.3): a shorter one was never used. A
    // link isn't a header (j).
    guard let status = try folder.statusIfPresent(of: name), status.kind == .regular,
      status.size == 100
    else { return nil }
    return try folder.open(name).read(100, at: 0)
  }
}

extension StoreDescription {
  /// The digest of the entity hashes in the store's metadata.
  fileprivate var digest: String? { metadata?.hashes?.digest }
}
