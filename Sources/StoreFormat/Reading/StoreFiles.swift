package import Platform

/// The files of a store: the main file, its companions, and the directory of external data.
package struct StoreFiles: Hashable, Sendable {
  /// The path of the main file, as given.
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// The ends of the names that apps give to the main files of stores.
  package static let endings = [".store", ".sqlite", ".storedata"]

  /// The write-ahead log.
  package var wal: String { path + "-wal" }

  /// Whether there is a write-ahead log that isn't empty.
  ///
  /// - Throws: A ``SystemError`` if the system can't tell.
  package var hasLog: Bool {
    get throws(SystemError) { try FileStatus.ifPresent(at: wal)?.size ?? 0 > 0 }
  }

  /// The shared-memory file, SQLite's index of the write-ahead log.
  package var sharedMemory: String { path + "-shm" }

  /// The rollback journal.
  package var journal: String { path + "-journal" }

  /// The name of the main file.
  package var name: String {
    let name = FileSystem.name(of: path)
    return name.isEmpty ? path : name
  }

  /// The directory of the store.
  package var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The name of the external data's directory: `.NAME_SUPPORT`, without the file's extension.
  ///
  /// See `StoreFormat.md` §13.
  package var supportFolderName: String {
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    return ".\(stem.isEmpty ? name : stem)_SUPPORT"
  }

  /// The name of the folder around the store's snapshots.
  package var snapshotsName: String { name + ".snapshots" }

  /// The directory of external data, with one file for each large value.
  package var externalDataFolder: String { "\(folder)/\(supportFolderName)/_EXTERNAL_DATA" }

  /// Opens the directory of the store.
  package func openFolder() throws(SystemError) -> Directory { try Directory(opening: folder) }

  /// Opens the directory of external data; returns `nil` if it is missing.
  ///
  /// - Throws: A ``SystemError`` if a symbolic link is in its place, or in place of the directory around it.
  package func openExternalData() throws(SystemError) -> Directory? {
    try openFolder().directoryIfPresent(supportFolderName)?.directoryIfPresent("_EXTERNAL_DATA")
  }
}
