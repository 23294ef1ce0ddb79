package import Platform

extension SnapshotFolder {
  /// Checks the snapshot, and makes a new snapshot's work file from its store (g).
  ///
  /// The work file is a second name of the snapshot's own file, which is returned locked, or a
  /// copy. The own file gets its original header just before it becomes the store
  /// (``ReturningSnapshot``).
  package func makeWorkFile(
    in newSnapshot: SnapshotFolder, _ receipt: Receipt, replacing store: borrowing ExclusiveStore,
    typed path: String
  ) throws -> SharedFile? {
    if let own = try lockOwnFile(), try link(own, asWorkOf: newSnapshot, receipt) { return own }
    try store.checkRoom(typed: path)
    try copyStore(to: newSnapshot, receipt, like: store.file.descriptor)
    return nil
  }

  /// Checks the snapshot's own file and links it; returns `false` if it can't be linked.
  private func link(
    _ own: SharedFile, asWorkOf newSnapshot: SnapshotFolder, _ receipt: Receipt
  ) throws -> Bool {
    try check(receipt, file: own.descriptor)
    let folder = try newSnapshot.open()
    let work = Entry.work.rawValue
    do throws(SystemError) {
      try open().link(mainName, to: work, in: folder)
    } catch {
      guard error.isUnlinkable else { throw error }
      return false
    }
    // Another file may have taken the name since this one was checked (g).
    guard try folder.status(of: work).identity == own.descriptor.status().identity else {
      throw ExchangeError.badSnapshot(name, reason: "its store doesn't match its receipt")
    }
    return true
  }

  /// Opens and locks the store's file, if it belongs to the snapshot alone (g).
  ///
  /// It doesn't if it has another name, if another process has it open or locked, or if the user
  /// may not write to it. The lock is the one that SQLite takes to write. iOS doesn't report a
  /// process that has the file open.
  ///
  /// - Returns: The file; `nil` if it doesn't belong to the snapshot alone.
  /// - Throws: A ``SystemError`` if the status or the holders can't be read.
  private func lockOwnFile() throws(SystemError) -> SharedFile? {
    guard let folder = try openIfPresent(),
      let status = try folder.statusIfPresent(of: mainName), status.kind == .regular,
      status.linkCount == 1, try lockHolders(of: mainFile.path).isEmpty
    else { return nil }
    let file: SharedFile
    do throws(SystemError) {
      file = SharedFile(try folder.open(mainName, for: .updating))
      try file.descriptor.lockAsDatabase()
    } catch {
      // The file can be read but not written to, or another process was faster: a copy will do.
      return nil
    }
    // The holders were looked up by path: they are this file's only if it still has the name.
    return try file.descriptor.status().identity == status.identity ? file : nil
  }

  /// Copies the store's file to another snapshot's work file, and syncs it (g).
  ///
  /// The copy gets the original header and another store's attributes. The copy is checked, and so
  /// is the snapshot's external data.
  ///
  /// - Throws: ``ExchangeError/badSnapshot(_:reason:)`` if a file is missing or has another hash.
  /// - Complexity: O(*n*) in its bytes.
  private func copyStore(
    to other: SnapshotFolder, _ receipt: Receipt, like store: borrowing FileDescriptor
  ) throws {
    let folder = try open()
    guard try folder.isFile(mainName) else {
      throw ExchangeError.badSnapshot(name, reason: "its store is missing")
    }
    let kept = try folder.open(mainName)
    let copy = try other.open().copy(kept, as: Entry.work.rawValue)
    try copy.write(receipt.header, at: 0)
    // Start writing now, so that the sync below takes less time.
    copy.beginWriting()
    try check(receipt, file: kept, isKept: copy.matches(receipt.snapshotHash))
    try copy.copyAttributes(of: store, FileAttribute.lasting)
    // The file's name is synced together with the header's (f.3).
    try copy.synchronize()
  }

  /// What the receipt says about a work file that ``makeWorkFile(in:_:replacing:typed:)`` made.
  package func workFileRecord(
    in newSnapshot: SnapshotFolder, _ receipt: Receipt
  ) throws -> Receipt.FileRecord {
    Receipt.FileRecord(
      identity: try newSnapshot.open().status(of: Entry.work.rawValue).identity,
      hash: receipt.snapshotHash)
  }

  /// Restores missing external data files, and returns their names.
  ///
  /// If the run ends here, the restored files stay; they cause no harm.
  package func restoreExternalData(_ receipt: Receipt) throws -> Set<String> {
    guard !receipt.external.isEmpty else { return [] }
    var restored: Set<String> = []
    let target = try files.openOrCreateExternalData()
    let kept = try open().directory(Entry.external.rawValue)
    for name in receipt.external.keys.sorted() where try !target.has(name) {
      try target.replace(name, withCopyOf: kept.open(name), like: files.statusForValues)
      restored.insert(name)
    }
    // The names must be on the disk before the exchange, which syncs the store's folder (f.5).
    try target.synchronize()
    return restored
  }
}
