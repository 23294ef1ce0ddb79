import Platform
import StoreFormat

/// The permissions of a `-wal` without content.
///
/// SQLite gives such a file the permissions of the store when it opens it, also for reading: it takes the file for one that
/// it has just created. Source: `robust_open` in SQLite's `os_unix.c`.
struct EmptyLog {
  private let path: String

  /// The permissions; `nil` if there is no log, or if it has content.
  private let mode: UInt32?

  /// Notes the permissions of a store's log.
  init(of files: StoreFiles) {
    path = files.wal
    let status = try? FileStatus.ifPresent(at: path)
    mode = status.flatMap { $0.size == 0 ? $0.mode : nil }
  }

  /// Gives the log its permissions back if they have changed.
  ///
  /// Only its owner can change them, so a failure means that they are as they were.
  func restoreMode() {
    guard let mode, let status = try? FileStatus.ifPresent(at: path), status.size == 0,
      status.mode != mode
    else { return }
    try? FileSystem.setPermissions(path, mode)
  }
}
