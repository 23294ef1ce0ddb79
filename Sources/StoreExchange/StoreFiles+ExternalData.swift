import Platform
import StoreFormat

extension StoreFiles {
  /// Opens the external data folder, and creates it if it is missing.
  ///
  /// When the store's folder is synced, the name of the folder around it is on the disk.
  func openOrCreateExternalData() throws(SystemError) -> Directory {
    let beside = try openFolder()
    let external = SnapshotFolder.Entry.external.rawValue
    let support: Directory
    if let present = try beside.directoryIfPresent(supportFolderName) {
      support = present
    } else {
      support = try beside.createDirectory(supportFolderName, mode: 0o755)
    }
    if let present = try support.directoryIfPresent(external) { return present }
    let created = try support.createDirectory(external, mode: 0o755)
    try support.synchronize()
    return created
  }
}
