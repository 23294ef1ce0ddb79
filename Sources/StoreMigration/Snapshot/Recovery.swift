import Platform
import StoreFormat

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

    /// Nothing says what the folder is: it is left alone.
    case unreadable(SnapshotFolder)

    var description: String {
      switch self {
      case .unfinished(let folder, _):
        "an interrupted run left '\(folder.name)'; the store is as it was before"
      case .exchanged(let folder, _):
        "an interrupted run had put the new store in place; '\(folder.name)' is its snapshot"
      case .unreadable(let folder):
        "the receipt of '\(folder.name)' can't be read; the snapshot isn't trusted and left alone"
      }
    }
  }

  /// What there is; nothing is touched.
  func remains() throws(MigrationError) -> [Remains] {
    var remains: [Remains] = []
    for folder in try folders() {
      let found: Receipt?
      do {
        found = try folder.receipt()
      } catch {
        remains.append(.unreadable(folder))
        continue
      }
      guard let receipt = found else {
        remains.append(.unfinished(folder, header: try header(in: folder)))
        continue
      }
      let present = try identity()
      switch receipt.state {
      case .done: break
      case .pending where present == receipt.written.identity:
        remains.append(.exchanged(folder, receipt))
      case .pending: remains.append(.unfinished(folder, header: receipt.header))
      }
    }
    return remains
  }

  /// Finishes or forgets what there is, and says so.
  ///
  /// Called only by commands that write, before they take the store's lock; a store that another
  /// process has open is left alone.
  func finish(typed path: String) throws(MigrationError) -> [String] {
    let remains = try remains()
    if remains.isEmpty { return [] }
    do {
      let holders = try lockHolders(of: files.path)
      guard holders.isEmpty else {
        throw MigrationError.inUse(path, holders: holders.map(\.description))
      }
      for entry in remains {
        switch entry {
        case .exchanged(let folder, var receipt):
          try FileSystem.synchronizeDirectory(files.folder)
          let settlement = Settlement(files: files, snapshot: folder)
          try settlement.finish(receipt)
          receipt.state = .done
          try folder.write(receipt)
          try FileSystem.removeIfPresent(folder.headerFile)
          try settlement.forget(receipt)
        case .unfinished(let folder, let header):
          if let header { try restore(header) }
          try folder.remove()
        case .unreadable: break
        }
      }
    } catch {
      throw MigrationError(wrapping: error, path: path)
    }
    return remains.map(\.description)
  }

  /// Puts back the header that the run had changed, if the rest of the store still is what it was.
  private func restore(_ header: [UInt8]) throws(SystemError) {
    let file = try FileDescriptor(opening: files.path, for: .updating)
    let present = try file.read(100, at: 0)
    // Only a store that nobody wrote since has the counter that leaving WAL mode left behind.
    let expected = header.changeCounter &+ 1
    guard present.count == 100, present[18] == 1, header[18] == 2,
      present.changeCounter == expected || present.changeCounter == header.changeCounter
    else { return }
    try file.write(header, at: 0)
    try file.synchronize()
  }

  /// The header that a run was about to change; none where it hadn't got so far.
  private func header(in folder: SnapshotFolder) throws(MigrationError) -> [UInt8]? {
    guard FileSystem.exists(folder.headerFile) else { return nil }
    do {
      let header = try FileSystem.read(folder.headerFile, limit: 100)
      // The file is whole before the store's header is changed.
      return header.count == 100 ? header : nil
    } catch {
      throw .io(error)
    }
  }

  private func folders() throws(MigrationError) -> [SnapshotFolder] {
    do {
      return try SnapshotFolder.all(of: files)
    } catch {
      throw .io(error)
    }
  }

  private func identity() throws(MigrationError) -> FileIdentity {
    do {
      return try FileStatus(of: files.path).identity
    } catch {
      throw .io(error)
    }
  }
}

extension [UInt8] {
  /// The file change counter of a database header.
  fileprivate var changeCounter: UInt32 {
    self[24..<28].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
