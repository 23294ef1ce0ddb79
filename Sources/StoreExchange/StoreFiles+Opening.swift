import Platform
import StoreFormat

/// The names beside a store, and its folders, opened without following links (j).
extension StoreFiles {
  var walName: String { name + "-wal" }
  var sharedMemoryName: String { name + "-shm" }
  var journalName: String { name + "-journal" }

  /// The name of the folder around the store's snapshots.
  var snapshotsName: String { name + ".snapshots" }

  /// Opens the folder that contains the store.
  func openFolder() throws(SystemError) -> Directory { try Directory(opening: folder) }

  /// Opens the folder of large values; returns `nil` if it doesn't exist.
  ///
  /// - Throws: A ``SystemError`` if it, or the folder around it, is a symbolic link (j).
  func openExternalData() throws(SystemError) -> Directory? {
    guard let support = try openFolder().directoryIfPresent(supportFolderName) else { return nil }
    return try support.directoryIfPresent(SnapshotFolder.Entry.external.rawValue)
  }
}
