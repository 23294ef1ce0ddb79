package import Platform

extension StoreFiles {
  /// The main file and its companions.
  package var databaseFiles: [String] { [path, wal, sharedMemory, journal] }

  /// The first of the database files that exists, or `nil` if none does.
  package var firstExisting: String? {
    get throws(SystemError) {
      for file in databaseFiles where try FileSystem.exists(file) { return file }
      return nil
    }
  }

  /// Removes the database files that exist, but not the directory of external data.
  package func removeDatabaseFiles() throws(SystemError) {
    for file in databaseFiles { _ = try FileSystem.removeIfPresent(file) }
  }
}
