package import Platform

/// A snapshot whose own file becomes the store (g).
///
/// Its receipt says `returning` before the file is changed: from then on, it counts only while the
/// store isn't that file. The letters in comments are those of the protocol in `Durability.md`.
struct ReturningSnapshot {
  let snapshot: SnapshotFolder

  /// Its receipt, in state done.
  let receipt: Receipt

  /// Gives the file its original header and the present store's attributes, and syncs it.
  func prepare(
    _ file: borrowing FileDescriptor, like store: borrowing FileDescriptor
  ) throws(SystemError) {
    // On the disk before the file changes: once the file is the store, the snapshot doesn't count.
    try snapshot.mark(receipt, as: .returning)
    try file.write(receipt.header, at: 0)
    try file.copyAttributes(of: store, FileAttribute.lasting)
    // On the disk before the rename makes it the store (g).
    try file.synchronize()
  }

  /// Makes the snapshot count as before, if its file was about to become the store but didn't.
  ///
  /// The file is changed only if it is the receipt's: not a link, with no name elsewhere, and with
  /// the bytes that were kept (j). Otherwise it is left unchanged, and a check of the snapshot
  /// reports it.
  func restoreDone() throws(SystemError) {
    guard try snapshot.soundReceipt()?.state == .returning else { return }
    let folder = try snapshot.open()
    if let status = try folder.statusIfPresent(of: snapshot.mainName), status.kind == .regular,
      try hasOnlyOwnNames(status)
    {
      let file = try folder.open(snapshot.mainName, for: .updating)
      if try file.status().identity == status.identity, try isKept(file) {
        // In WAL mode, a program that reads the snapshot's file would create a log beside it.
        try file.write([1, 1], at: ExclusiveStore.headerModePlace)
        try file.synchronize()
      }
    }
    // Last: until then, the next run repeats these steps.
    try snapshot.mark(receipt, as: .done)
  }

  private func isKept(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
    guard try file.read(receipt.header.count, at: 0).isHeader(receipt.header) else { return false }
    return try receipt.isSnapshot(file)
  }

  /// Returns whether each hard link of a file is in one of the store's snapshots (j).
  ///
  /// Such links are made by runs. A file with another name may be anyone's, whatever the receipt
  /// says.
  private func hasOnlyOwnNames(_ status: FileStatus) throws(SystemError) -> Bool {
    var count = 0
    for other in try SnapshotFolder.all(of: snapshot.files) {
      let folder = try other.open()
      for name in [other.mainName, SnapshotFolder.Entry.work.rawValue] {
        if try folder.statusIfPresent(of: name)?.identity == status.identity { count += 1 }
      }
    }
    return count == status.linkCount
  }
}

extension SnapshotFolder {
  /// Returns whether the store at the path is the snapshot's own file.
  ///
  /// The file also counts as returned if its name in the folder was removed.
  func hasReturned() throws(SystemError) -> Bool {
    guard let own = try openIfPresent()?.statusIfPresent(of: mainName) else { return true }
    return own.identity == (try files.identity)
  }

  /// Returns whether a snapshot with this receipt is one that a rollback can restore.
  package func isDone(_ receipt: Receipt) throws(SystemError) -> Bool {
    guard receipt.state == .returning else { return receipt.state == .done }
    return try !hasReturned()
  }
}
