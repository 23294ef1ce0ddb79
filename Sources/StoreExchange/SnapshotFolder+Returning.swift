package import Platform

extension SnapshotFolder {
  /// Checks the snapshot, and makes another snapshot's work file from its store (g).
  ///
  /// The work file is a second name of the snapshot's own file, which is returned locked, or a
  /// copy. The own file gets its original header just before it becomes the store
  /// (``ReturningSnapshot``).
  package func makeWorkFile(
    of kept: SnapshotFolder, _ receipt: Receipt, beside store: borrowing ExclusiveStore,
    typed path: String
  ) throws -> SharedFile? {
    if let own = try fileOfItsOwn(), try link(own, asWorkOf: kept, receipt) { return own }
    try store.checkRoom(typed: path)
    try copyStore(to: kept, receipt, like: store.file.descriptor)
    return nil
  }

  /// Checks the snapshot's own file and links it; returns `false` if it can't be linked.
  private func link(
    _ own: SharedFile, asWorkOf kept: SnapshotFolder, _ receipt: Receipt
  ) throws -> Bool {
    try check(receipt, file: own.descriptor)
    let folder = try kept.open()
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

  /// What the receipt says about a work file that ``makeWorkFile(of:_:beside:typed:)`` made.
  package func record(
    ofWorkIn kept: SnapshotFolder, _ receipt: Receipt
  ) throws -> Receipt.FileRecord {
    Receipt.FileRecord(
      identity: try kept.open().status(of: Entry.work.rawValue).identity,
      hashes: receipt.snapshotHashes)
  }

  /// Restores missing files of large values, and returns their names.
  ///
  /// If the run ends here, the restored files stay; they cause no harm.
  package func restoreLargeValues(_ receipt: Receipt) throws -> Set<String> {
    guard !receipt.external.isEmpty else { return [] }
    var restored: Set<String> = []
    let target = try files.openOrCreateExternalData()
    let kept = try open().directory(Entry.external.rawValue)
    for name in receipt.external.keys.sorted() where try !target.has(name) {
      try target.replace(name, withCopyOf: kept.open(name))
      restored.insert(name)
    }
    // The names must be on the disk before the exchange, which syncs the store's folder (f.5).
    try target.synchronize()
    return restored
  }
}
