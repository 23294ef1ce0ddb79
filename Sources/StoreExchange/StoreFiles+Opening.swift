import StoreFormat

/// The names beside a store, and its folders, opened without following links (j).
extension StoreFiles {
  var walName: String { name + "-wal" }
  var sharedMemoryName: String { name + "-shm" }
  var journalName: String { name + "-journal" }

  /// The name of the folder around the store's snapshots.
  var snapshotsName: String { name + ".snapshots" }
}
