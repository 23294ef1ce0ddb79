package import Platform

extension StoreFiles {
  /// The main file and what SQLite keeps beside it.
  package var databaseFiles: [String] { [path, wal, sharedMemory, journal] }

  /// The first of the database files that is there already; none where the place is free.
  package var firstExisting: String? {
    get throws(SystemError) {
      for file in databaseFiles where try FileSystem.exists(file) { return file }
      return nil
    }
  }

  /// Removes the database files that are there, and leaves the folder of large values alone.
  package func removeDatabaseFiles() throws(SystemError) {
    for file in databaseFiles { _ = try FileSystem.removeIfPresent(file) }
  }
}
