import Platform
import StoreFormat

/// The names beside a store, and its folders opened without following links.
extension StoreFiles {
  var walName: String { name + "-wal" }
  var sharedMemoryName: String { name + "-shm" }
  var journalName: String { name + "-journal" }

  /// The name of the folder around the store's snapshots.
  var snapshotsName: String { name + ".snapshots" }

  /// Opens the folder that the store lies in.
  func openFolder() throws(SystemError) -> Directory { try Directory(opening: folder) }

  /// Opens the folder of large values; returns `nil` if there is none.
  ///
  /// - Throws: A ``SystemError`` if a symbolic link stands in its place, or in place of the folder around it.
  func openExternalData() throws(SystemError) -> Directory? {
    guard let support = try openFolder().directoryIfPresent(supportFolderName) else { return nil }
    return try support.directoryIfPresent(SnapshotFolder.Entry.external.rawValue)
  }
}
