import Platform
import StoreFormat
import StoreModel
import Migrations
import StoreAccess
import RowRewriting

/// What interrupted runs left beside a store, and how to finish or forget it.
///
/// A run that was killed leaves a snapshot's folder without a receipt, or with a pending one. Whether
/// its exchange happened shows in the store's identity: the new file has another inode.
struct Recovery {
  let files: StoreFiles

  /// Something that an interrupted run left.
  enum Remains: Hashable, CustomStringConvertible {
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

    var description: String {
      switch self {
      case .unfinished(let folder, _):
        "an interrupted run left '\(folder.name)'; the store is as it was before"
      case .exchanged(let folder, _):
        "an interrupted run had put the new store in place; '\(folder.name)' is its snapshot"
      case .halfRemoved(let folder):
        "an interrupted run was removing '\(folder.name)'"
      case .kept(let folder), .notReturned(let folder, _):
        "an interrupted run was about to give up '\(folder.name)'; it is kept"
      case .unclear(let folder):
        "nothing says whether '\(folder.name)' is the snapshot of this store; it is left alone"
      case .unreadable(let folder):
        "the receipt of '\(folder.name)' can't be read; the snapshot isn't trusted and left alone"
      }
    }
  }

  /// What there is; nothing is touched.
  func remains() throws -> [Remains] {
    try remains(
      { try sha256(ofFile: files.path) },
      {
        try OpenedStore.open(files, typed: files.path).description.digest
      })
  }

  /// What there is, where the store's hash and the digest of its model can be asked for.
  private func remains(
    _ hash: () throws -> [UInt8], _ digest: () throws -> String?
  ) throws -> [Remains] {
    var remains: [Remains] = []
    for folder in try SnapshotFolder.all(of: files) {
      let found: Receipt?
      do {
        found = try folder.receipt()
      } catch ExchangeError.badSnapshot {
        remains.append(.unreadable(folder))
        continue
      }
      if let entry = try entry(for: folder, found, hash, digest) { remains.append(entry) }
    }
    return remains
  }

  private func entry(
    for folder: SnapshotFolder, _ receipt: Receipt?, _ hash: () throws -> [UInt8],
    _ digest: () throws -> String?
  ) throws -> Remains? {
    guard let receipt else {
      return try isSpare(folder, hash)
        ? .unfinished(folder, header: try header(in: folder)) : .unclear(folder)
    }
    switch receipt.state {
    case .done: return try FileSystem.exists(folder.receiptDraft) ? .kept(folder) : nil
    case .removing: return .halfRemoved(folder)
    case .returning:
      return try folder.hasReturned() ? .halfRemoved(folder) : .notReturned(folder, receipt)
    case .pending: break
    }
    let present = try FileStatus(of: files.path).identity
    if present == receipt.written.identity { return .exchanged(folder, receipt) }
    if present == receipt.found.identity { return .unfinished(folder, header: receipt.header) }
    // The store was copied since. A work file never got to the path; else the store's model says which of the two
    // it is.
    if try FileSystem.exists(folder.workFile) {
      return try isSpare(folder, hash)
        ? .unfinished(folder, header: receipt.header) : .unclear(folder)
    }
    if (try? digest()) == receipt.digest { return .exchanged(folder, receipt) }
    return try isSpare(folder, hash)
      ? .unfinished(folder, header: receipt.header) : .unclear(folder)
  }

  /// Returns whether nothing is lost with a folder: it has no old store, or the one at the path.
  private func isSpare(
    _ folder: SnapshotFolder, _ hash: () throws -> [UInt8]
  ) throws -> Bool {
    guard let kept = try FileStatus.ifPresent(at: folder.mainFile, followingLinks: false) else {
      return true
    }
    if try kept.identity == FileStatus(of: files.path).identity { return true }
    return try sha256(ofFile: folder.mainFile) == hash()
  }

  /// Finishes or forgets what there is, and says so.
  ///
  /// Called only by commands that write; a store that another process has open is left alone. What there
  /// is counts as it is under the lock: before, it may be what another run is at.
  func finish(typed path: String) throws -> [String] {
    if try remains().isEmpty { return [] }
    let store = try ExclusiveStore.take(files, typed: path)
    let remains: [Remains]
    do {
      remains = try self.remains(
        { try store.file.descriptor.sha256() },
        { try StoreDescription(reading: store.connection).digest })
      // What is left to do after an exchange may take what is in a folder that goes.
      for entry in remains.filter(\.isExchanged) + remains.filter({ !$0.isExchanged }) {
        try finish(entry, store.file.descriptor)
      }
    } catch {
      try? store.release()
      throw error
    }
    try store.release()
    return remains.map(\.description)
  }

  private func finish(_ entry: Remains, _ file: borrowing FileDescriptor) throws(SystemError) {
    // What an exchange leaves to do may have removed it.
    guard try FileSystem.exists(entry.folder.path) else { return }
    switch entry {
    case .exchanged(let folder, let receipt):
      try FileSystem.synchronizeDirectory(files.folder)
      let settlement = Settlement(files: files, snapshot: folder)
      try settlement.finish(receipt)
      try FileSystem.removeIfPresent(folder.headerFile)
      try settlement.forget(receipt)
      try folder.mark(receipt, as: .done)
    case .unfinished(let folder, let header):
      if let header { try restore(header, file) }
      try folder.remove()
    case .halfRemoved(let folder): try folder.remove()
    case .kept(let folder): try FileSystem.removeIfPresent(folder.receiptDraft)
    case .notReturned(let folder, let receipt):
      try ReturningSnapshot(snapshot: folder, receipt: receipt).keep()
    case .unreadable, .unclear: break
    }
  }

  /// Puts back the header that the run had changed, if the rest of the store still is what it was.
  private func restore(_ header: [UInt8], _ file: borrowing FileDescriptor) throws(SystemError) {
    let present = try file.read(100, at: 0)
    // Only a store that nobody wrote since has the counter that leaving WAL mode left behind.
    let expected = header.changeCounter &+ 1
    guard present.count == 100, present[18] == 1, header[18] == 2,
      present.changeCounter == expected || present.changeCounter == header.changeCounter
    else { return }
    // Without a log its index goes first: in WAL mode it would say that a log is missing.
    if try !FileSystem.exists(files.wal) { try FileSystem.removeIfPresent(files.sharedMemory) }
    try file.write(header, at: 0)
    try file.synchronize()
  }

  /// The header that a run was about to change; none where it hadn't got so far.
  private func header(in folder: SnapshotFolder) throws(SystemError) -> [UInt8]? {
    guard try FileSystem.exists(folder.headerFile) else { return nil }
    let header = try FileSystem.read(folder.headerFile, limit: 100)
    // The file is whole before the store's header is changed.
    return header.count == 100 ? header : nil
  }
}

extension [UInt8] {
  /// The file change counter of a database header.
  fileprivate var changeCounter: UInt32 {
    self[24..<28].reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension StoreDescription {
  /// The digest of the entity hashes in the store's metadata.
  fileprivate var digest: String? { metadata?.hashes?.digest }
}
