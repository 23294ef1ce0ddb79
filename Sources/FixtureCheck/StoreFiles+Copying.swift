import Platform
import SQLite
import StoreFormat

extension StoreFiles {
  /// Copies the main file, SQLite's files beside it, and the external data to a new folder.
  func copyAll(to other: StoreFiles) throws(SystemError) {
    try FileSystem.createDirectory(other.folder)
    for (file, copy) in zip(databaseFiles, other.databaseFiles) where try FileSystem.exists(file) {
      try FileSystem.copy(file, to: copy)
    }
    guard let large = try openExternalData() else { return }
    try FileSystem.createDirectory("\(other.folder)/\(other.supportFolderName)")
    try FileSystem.createDirectory(other.externalDataFolder)
    let copies = try Directory(opening: other.externalDataFolder)
    for name in try large.list() { try copies.create(name).copyContents(of: large.open(name)) }
  }

  /// Brings the write-ahead log or a journal into the main file, as `apply` does before it reads.
  func foldLog() throws {
    guard try FileSystem.exists(wal) || FileSystem.exists(journal) else { return }
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.walCheckpointTruncate()
  }

  /// Returns the hash of the main file and of each external data file, by name.
  func contentHashes() throws(SystemError) -> [String: String] {
    var hashes = [name: try FileDescriptor(opening: path).hash()]
    guard let large = try openExternalData() else { return hashes }
    for name in try large.list() {
      hashes["\(supportFolderName)/\(name)"] = try large.open(name).hash()
    }
    return hashes
  }
}
