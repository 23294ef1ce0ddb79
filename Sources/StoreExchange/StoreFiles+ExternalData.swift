import Platform
import StoreFormat

extension StoreFiles {
  /// Returns whether a name in the external data folder is that of a value being restored.
  ///
  /// Core Data names the values by UUIDs (`StoreFormat.md` §13), so no value of an app has such a
  /// name.
  package static func isDraftOfValue(_ name: String) -> Bool {
    let stem = name.utf8.dropLast(Directory.draftSuffix.utf8.count)
    return name.hasSuffix(Directory.draftSuffix) && stem.count == 36
      && stem.allSatisfy { byte in
        byte == 0x2D || (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte)
      }
  }

  /// The drafts of values that killed rollbacks left, by name.
  func draftsOfValues() throws(SystemError) -> [String] {
    do throws(SystemError) {
      guard let folder = try openExternalData() else { return [] }
      return try folder.list().filter(Self.isDraftOfValue)
    } catch {
      // What stands in the folder's place has no drafts of ours. What needs the folder names it.
      guard error.isSymbolicLink || error.isNotFound else { throw error }
      return []
    }
  }

  /// Removes a draft, so that it stays removed after a loss of power.
  func removeDraftOfValue(_ name: String) throws(SystemError) {
    guard let folder = try openExternalData() else { return }
    try folder.removeIfPresent(name)
    try folder.synchronize()
  }

  /// Removes the log's index, and syncs the folder if there was one.
  ///
  /// The index of a missing log says that rows are missing, so its removal must be on the disk
  /// before the log is removed (c).
  func removeIndex(in folder: borrowing Directory) throws(SystemError) {
    if try folder.removeIfPresent(sharedMemoryName) { try folder.synchronize() }
  }

  /// The status whose owner and permissions a restored value gets: the main file's.
  ///
  /// The app has to read the value. The copy in the snapshot is for one user only.
  var statusForValues: FileStatus {
    get throws(SystemError) { try openFolder().status(of: name) }
  }

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
