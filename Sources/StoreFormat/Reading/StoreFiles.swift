import Platform

/// The files of one store: the main file, its companions, and the folder of large values.
package struct StoreFiles: Hashable, Sendable {
  /// The path of the main file, as it was given.
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// The write-ahead log.
  package var wal: String { path + "-wal" }

  /// A Boolean value indicating whether there is a write-ahead log with anything in it.
  ///
  /// Throws a ``SystemError`` where the system doesn't say.
  package var hasLog: Bool {
    get throws(SystemError) { try FileStatus.ifPresent(at: wal)?.size ?? 0 > 0 }
  }

  /// SQLite's index of the write-ahead log; disposable.
  package var sharedMemory: String { path + "-shm" }

  /// The rollback journal.
  package var journal: String { path + "-journal" }

  /// The name of the main file.
  package var name: String {
    path.split(separator: "/", omittingEmptySubsequences: true).last.map(String.init) ?? path
  }

  /// The folder that the store lies in.
  package var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The name of the folder with large values: `.NAME_SUPPORT`, without the main file's extension.
  ///
  /// See `StoreFormat.md` §13.
  package var supportFolderName: String {
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    return ".\(stem.isEmpty ? name : stem)_SUPPORT"
  }

  /// The folder with a file for each large value.
  package var externalDataFolder: String { "\(folder)/\(supportFolderName)/_EXTERNAL_DATA" }
}
