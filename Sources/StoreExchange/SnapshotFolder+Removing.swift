package import Platform
import StoreFormat

extension SnapshotFolder {
  /// Removes the folder, and the folder around it if that is empty then (i).
  ///
  /// The receipt is marked first and removed last. If the run is killed in between, the rest of the
  /// folder doesn't count, and the next run removes it. A file that this process has open may stay
  /// as well, see ``removeRest()``.
  package func remove() throws(SystemError) {
    let beside = try files.openFolder()
    let parent = try beside.directory(files.snapshotsName)
    let folder = try parent.directory(name)
    if let receipt = try soundReceipt() { try mark(receipt, as: .removing) }
    for entry in try folder.list() where entry != Entry.receipt.rawValue {
      try folder.removeTree(entry)
    }
    // Without its receipt, an old store that is still there after a loss of power would stay (i).
    try folder.synchronize()
    // NFS and FUSE give a removed file another name while it is open.
    guard try folder.list().allSatisfy({ $0 == Entry.receipt.rawValue }) else { return }
    // This also removes the receipt, the last file in the folder.
    try parent.removeTree(name)
    if try parent.list().isEmpty { try beside.removeDirectory(files.snapshotsName) }
  }

  /// Removes what ``remove()`` left of the folder because its file was open; the next run otherwise.
  package func removeRest() throws {
    if try receipt()?.state == .removing { try remove() }
  }
}
