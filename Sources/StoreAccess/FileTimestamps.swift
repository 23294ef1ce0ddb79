import Platform
package import StoreFormat

/// When a store's files were last written to, and which files they are.
package struct FileTimestamps: Hashable {
  private let main: FileTimestamp?
  private let log: FileTimestamp?
  private let journal: FileTimestamp?

  /// Looks at the files; one that can't be looked at counts like one that isn't there.
  package init(of files: StoreFiles) {
    main = FileTimestamp(of: files.path)
    log = FileTimestamp(of: files.wal)
    journal = FileTimestamp(of: files.journal)
  }

  /// A Boolean value indicating whether the next write will show.
  ///
  /// Some file systems keep only every other second of a time. A log may be somebody's who is about to
  /// remove it.
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
