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

  /// Something that a killed run left.
  package enum Leftover: Hashable, CustomStringConvertible {
    /// The exchange didn't happen: the folder can be removed.
    case unfinished(SnapshotFolder, header: [UInt8]?)

    /// The exchange happened, but the receipt doesn't say so yet.
    case exchanged(SnapshotFolder, Receipt)

    /// A snapshot was being removed: the rest of the folder can be removed (i).
    case halfRemoved(SnapshotFolder)

    /// A snapshot was about to be removed, but its receipt doesn't say so yet: it is kept.
    case kept(SnapshotFolder)

    /// A snapshot's file was about to become the store, but didn't: it is kept (g).
    case notReturned(SnapshotFolder, Receipt)

    /// The receipt can't be read: the folder is left unchanged.
    case unreadable(SnapshotFolder)

    /// The folder has an old store, and the exchange may have happened: it is left unchanged.
    case unclear(SnapshotFolder)

    fileprivate var isExchanged: Bool {
      if case .exchanged = self { true } else { false }
    }

    fileprivate var folder: SnapshotFolder {
      switch self {
      case .unfinished(let folder, _), .exchanged(let folder, _), .notReturned(let folder, _),
        .halfRemoved(let folder), .kept(let folder), .unreadable(let folder), .unclear(let folder):
        folder
      }
    }

    package var description: String {
      switch self {
      case .unfinished(let folder, _):
        "an interrupted run left '\(folder.name)'; the store is unchanged"
      case .exchanged(let folder, _):
        "an interrupted run had already replaced the store; '\(folder.name)' is its snapshot"
      case .halfRemoved(let folder):
        "an interrupted run was removing '\(folder.name)'"
      case .kept(let folder), .notReturned(let folder, _):
        "an interrupted run was about to discard '\(folder.name)'; it is kept"
      case .unclear(let folder):
        "it is unknown whether '\(folder.name)' is a snapshot of this store; it is left unchanged"
      case .unreadable(let folder):
        "the receipt of '\(folder.name)' can't be read; the snapshot isn't used, and is left unchanged"
      }
    }
  }

  /// Finds the leftovers, without changing anything.
  package func leftovers() throws -> [Leftover] {
    try leftovers(
      { try files.openFolder().open(files.name).sha256() },
      { try OpenedStore.open(files, typed: files.path).description.digest })
  }

  /// Finds the leftovers; computes the store's hash and its model's digest only if needed.
  private func leftovers(
    _ hash: () throws -> [UInt8], _ digest: () throws -> String?
  ) throws -> [Leftover] {
    try SnapshotFolder.all(of: files).compactMap { folder in
      do {
        return try leftover(of: folder, folder.receipt(), hash, digest)
      } catch ExchangeError.badSnapshot {
        return .unreadable(folder)
      }
    }
  }

  /// Classifies a folder by its receipt and the file at the store's path; `nil` if nothing is left.
  private func leftover(
    of folder: SnapshotFolder, _ receipt: Receipt?, _ hash: () throws -> [UInt8],
    _ digest: () throws -> String?
  ) throws -> Leftover? {
    // Without the lock, another run may remove a folder at any time.
    guard let opened = try folder.openIfPresent() else { return nil }
    guard let receipt else {
      return try isRedundant(folder, hash)
        ? .unfinished(folder, header: try header(in: opened)) : .unclear(folder)
    }
    switch receipt.state {
    case .done: return try opened.has(SnapshotFolder.receiptDraft) ? .kept(folder) : nil
    case .removing: return .halfRemoved(folder)
    case .returning:
      return try folder.hasReturned() ? .halfRemoved(folder) : .notReturned(folder, receipt)
    case .pending: break
    }
    let present = try files.identity
    if present == receipt.written.identity { return .exchanged(folder, receipt) }
    if present == receipt.found.identity { return .unfinished(folder, header: receipt.header) }
    // The store was copied since. If the work file is there, the rename didn't happen. If not, the
    // store's model shows which of the two files it is.
    let isWorkThere = try opened.has(SnapshotFolder.Entry.work.rawValue)
    if !isWorkThere && (try? digest()) == receipt.digest { return .exchanged(folder, receipt) }
    return try isRedundant(folder, hash)
      ? .unfinished(folder, header: receipt.header) : .unclear(folder)
  }

  /// Returns whether removing a folder loses nothing: it has no old store, or the one at the path.
  private func isRedundant(
    _ folder: SnapshotFolder, _ hash: () throws -> [UInt8]
  ) throws -> Bool {
    guard let opened = try folder.openIfPresent(),
      let kept = try opened.statusIfPresent(of: folder.mainName)
    else { return true }
    if try kept.identity == files.identity { return true }
    // It is unknown what a link or a pipe stands for: it isn't read, and the folder stays (j).
    guard kept.kind == .regular else { return false }
    return try opened.open(folder.mainName).sha256() == hash()
  }

  /// Completes or discards the leftovers, and returns a sentence about each.
  ///
  /// Only commands that write call it. If another process has the store open, nothing is changed.
  /// Only what is found under the lock counts: before, it may be the work of a run in progress (b).
  func finish(typed path: String) throws -> [String] {
    if try leftovers().isEmpty { return [] }
    let store = try ExclusiveStore.take(files, typed: path)
    let leftovers = try self.leftovers(
      { try store.file.descriptor.sha256() },
      { try StoreDescription(reading: store.connection).digest })
    // Exchanges first: the steps after one may need what is in a folder that is then removed.
    for entry in leftovers.filter(\.isExchanged) + leftovers.filter({ !$0.isExchanged }) {
      try finish(entry, on: store)
    }
    try store.release()
    return leftovers.map(\.description)
  }

  private func finish(
    _ entry: Leftover, on store: borrowing ExclusiveStore
  ) throws(SystemError) {
    // The steps after another exchange may have removed it.
    guard let opened = try entry.folder.openIfPresent() else { return }
    switch entry {
    case .exchanged(let folder, let receipt):
      try PostExchangeSteps(files: files, snapshot: folder).complete(receipt, in: store.folder)
    case .unfinished(let folder, let header):
      // The header before the folder that has it on the disk (f.3).
      if let header { try restore(header, of: folder, store.file.descriptor) }
      try folder.remove()
    case .halfRemoved(let folder): try folder.remove()
    case .kept: try opened.removeIfPresent(SnapshotFolder.receiptDraft)
    case .notReturned(let folder, let receipt):
      try ReturningSnapshot(snapshot: folder, receipt: receipt).restoreDone()
    case .unreadable, .unclear: break
    }
  }

  /// Restores the header that the run had changed, if the store is otherwise unchanged (c, j).
  private func restore(
    _ header: [UInt8], of folder: SnapshotFolder, _ file: borrowing FileDescriptor
  ) throws(SystemError) {
    guard try file.read(100, at: 0).isHeaderBeforeSettling(header) else { return }
    // The index first: in WAL mode, a store with an index and no log counts as missing its log (c).
    let beside = try files.openFolder()
    if try !beside.has(files.walName) { try beside.removeIfPresent(files.sharedMemoryName) }
    // The header last: until then, the next run repeats these steps.
    try folder.restoreLog(beside)
    try file.write(header, at: 0)
    try file.synchronize()
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
