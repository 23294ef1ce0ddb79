package import StoreFormat

/// The names of the files beside a store.
extension StoreFiles {
  var walName: String { name + "-wal" }
  var sharedMemoryName: String { name + "-shm" }
  var journalName: String { name + "-journal" }

  /// The name of the copy of a damaged log, which a run makes beside the store (c).
  ///
  /// Copies of further logs have numbers, as in `default.store.unfinished-wal-2`.
  package var unfinishedLogName: String { name + Self.unfinishedLogSuffix }

  /// The end of that name, after the store's.
  package static var unfinishedLogSuffix: String { ".unfinished-wal" }
}
