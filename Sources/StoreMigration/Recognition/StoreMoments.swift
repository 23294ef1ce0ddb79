import Platform
import StoreFormat

/// When a store's files were last written to, and which files they are.
struct StoreMoments: Hashable {
  private let main: FileMoment?
  private let log: FileMoment?
  private let journal: FileMoment?

  /// Looks at the files; one that can't be looked at counts like one that isn't there.
  init(of files: StoreFiles) {
    main = FileMoment(of: files.path)
    log = FileMoment(of: files.wal)
    journal = FileMoment(of: files.journal)
  }

  /// A Boolean value indicating whether the next write will show.
  ///
  /// Some file systems keep only every other second of a time. A log may be somebody's who is about to
  /// remove it.
  var areQuiet: Bool {
    let now = WallClock.now().seconds
    return log == nil && journal == nil && main.map { $0.modified.seconds < now - 3 } ?? false
  }
}

private struct FileMoment: Hashable {
  let identity: FileIdentity
  let size: Int64
  let modified: Timestamp

  init?(of path: String) {
    guard let status = try? FileStatus(of: path) else { return nil }
    (identity, size, modified) = (status.identity, status.size, status.modified)
  }
}
