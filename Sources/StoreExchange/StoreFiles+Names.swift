import StoreFormat

/// The names of the files beside a store.
extension StoreFiles {
  var walName: String { name + "-wal" }
  var sharedMemoryName: String { name + "-shm" }
  var journalName: String { name + "-journal" }
}
