import Platform
package import StoreFormat
import StoreAccess
import StoreModel

/// What interrupted runs left beside a store, and how to finish or forget it.
///
/// A run that was killed leaves a snapshot's folder without a receipt, or with a pending one. The identity of
/// the file at the store's path shows whether its exchange happened: the new file has another inode.
package struct Recovery {
  let files: StoreFiles

  package init(files: StoreFiles) { self.files = files }

  /// Something that an interrupted run left.
  package enum Remains: Hashable, CustomStringConvertible {
    /// The exchange didn't happen: the folder can go.
    case unfinished(SnapshotFolder, header: [UInt8]?)

    /// The exchange happened, only the receipt doesn't say so yet.
    case exchanged(SnapshotFolder, Receipt)

    /// A snapshot was being removed: the rest of the folder can go.
    case halfRemoved(SnapshotFolder)

    /// A snapshot was about to be removed, and its receipt doesn't say so yet: it stays.
    case kept(SnapshotFolder)

    /// A snapshot's file was about to go back to the store's path, and didn't: it stays.
    case notReturned(SnapshotFolder, Receipt)

    /// Nothing says what the folder is: it is left alone.
    case unreadable(SnapshotFolder)

    /// It has an old store, and nothing says whether the exchange happened: it is left alone.
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

  /// What there is; nothing is touched.
  package func remains() throws -> [Remains] {
    try remains(
      { try files.openFolder().open(files.name).sha256() },
      { try OpenedStore.open(files, typed: files.path).description.digest })
  }

  /// What there is, given the store's hash and the digest of its model, which are only asked for if needed.
  private func remains(
    _ hash: () throws -> [UInt8], _ digest: () throws -> String?
  ) throws -> [Remains] {
    try SnapshotFolder.all(of: files).compactMap { folder in
      do {
        return try remains(of: folder, folder.receipt(), hash, digest)
      } catch ExchangeError.badSnapshot {
        return .unreadable(folder)
      }
    }
  }

  /// What a folder is, by its receipt and the file at the store's path.
  private func remains(
    of folder: SnapshotFolder, _ receipt: Receipt?, _ hash: () throws -> [UInt8],
    _ digest: () throws -> String?
  ) throws -> Remains? {
    // Without the lock a folder may go at any time: another run removes it.
    guard let opened = try folder.openIfPresent() else { return nil }
    guard let receipt else {
      return try isSpare(folder, hash)
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
    // The store was copied since. With a work file there was no rename; without one the store's model says which
    // of the two files it is.
    let isWorkThere = try opened.has(SnapshotFolder.Entry.work.rawValue)
    if !isWorkThere && (try? digest()) == receipt.digest { return .exchanged(folder, receipt) }
    return try isSpare(folder, hash)
      ? .unfinished(folder, header: receipt.header) : .unclear(folder)
  }

  /// Returns whether nothing is lost with a folder: it has no old store, or the one at the path.
  private func isSpare(
    _ folder: SnapshotFolder, _ hash: () throws -> [UInt8]
  ) throws -> Bool {
    guard let opened = try folder.openIfPresent(),
      let kept = try opened.statusIfPresent(of: folder.mainName)
    else { return true }
    if try kept.identity == files.identity { return true }
    // Nobody knows what a link or a pipe stands for: it isn't read, and the folder stays.
    guard kept.kind == .regular else { return false }
    return try opened.open(folder.mainName).sha256() == hash()
  }

  /// Finishes or forgets what there is, and reports it.
  ///
  /// Called only by commands that write; a store that another process has open is left alone. What there is
  /// counts as it is under the lock: before, it may be the work of a run that isn't over.
  func finish(typed path: String) throws -> [String] {
    if try remains().isEmpty { return [] }
    let store = try ExclusiveStore.take(files, typed: path)
    let remains = try self.remains(
      { try store.file.descriptor.sha256() },
      { try StoreDescription(reading: store.connection).digest })
    // Exchanges first: the steps after one may need what is in a folder that goes.
    for entry in remains.filter(\.isExchanged) + remains.filter({ !$0.isExchanged }) {
      try finish(entry, store.file.descriptor)
    }
    try store.release()
    return remains.map(\.description)
  }

  private func finish(_ entry: Remains, _ file: borrowing FileDescriptor) throws(SystemError) {
    // The steps after another exchange may have removed it.
    guard let opened = try entry.folder.openIfPresent() else { return }
    switch entry {
    case .exchanged(let folder, let receipt):
      // The rename may not be on the disk yet.
      try files.openFolder().synchronize()
      let steps = PostExchangeSteps(files: files, snapshot: folder)
      try steps.finish(receipt)
      try opened.removeIfPresent(SnapshotFolder.Entry.header.rawValue)
      try steps.forget(receipt)
      try folder.mark(receipt, as: .done)
    case .unfinished(let folder, let header):
      if let header { try restore(header, file) }
      try folder.remove()
    case .halfRemoved(let folder): try folder.remove()
    case .kept: try opened.removeIfPresent(SnapshotFolder.receiptDraft)
    case .notReturned(let folder, let receipt):
      try ReturningSnapshot(snapshot: folder, receipt: receipt).keep()
    case .unreadable, .unclear: break
    }
  }

  /// Puts back the header that the run had changed, if the rest of the store still is what it was (c).
  private func restore(_ header: [UInt8], _ file: borrowing FileDescriptor) throws(SystemError) {
    guard try file.read(100, at: 0).isHeaderBeforeSettling(header) else { return }
    // A store in WAL mode with an index and no log counts as one whose log is missing: the index goes first.
    let beside = try files.openFolder()
    if try !beside.has(files.walName) { try beside.removeIfPresent(files.sharedMemoryName) }
    try file.write(header, at: 0)
    try file.synchronize()
  }

  /// The header that a run was about to change; `nil` if it hadn't got so far.
  private func header(in folder: borrowing Directory) throws(SystemError) -> [UInt8]? {
    let name = SnapshotFolder.Entry.header.rawValue
    // The file is whole before the store's header is changed: a shorter one was never used. A link is no header.
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
