import Platform
package import StoreFormat

/// The identities, sizes and modification times of a store's files.
package struct FileTimestamps: Hashable {
  private let main: FileTimestamp?
  private let log: FileTimestamp?
  private let journal: FileTimestamp?

  /// Reads the files' status; a file whose status can't be read counts as missing.
  package init(of files: StoreFiles) {
    main = FileTimestamp(of: files.path)
    log = FileTimestamp(of: files.wal)
    journal = FileTimestamp(of: files.journal)
  }

  /// Whether the next write will change the timestamps.
  ///
  /// Some file systems store times in steps of two seconds. A log may belong to a process that is
  /// about to remove it.
  package var areQuiet: Bool {
    let now = WallClock.now().seconds
    return log == nil && journal == nil && main.map { $0.modified.seconds < now - 3 } ?? false
  }
}

private struct FileTimestamp: Hashable {
  let identity: FileIdentity
  let size: Int64
  let modified: Timestamp

  init?(of path: String) {
    guard let status = try? FileStatus(of: path) else { return nil }
    (identity, size, modified) = (status.identity, status.size, status.modified)
  }
}
