import Platform
package import StoreFormat

/// The identities, sizes and modification times of a store's files.
package struct FileTimestamps: Hashable {
  private let main: FileTimestamp?
  private let log: FileTimestamp?
  private let journal: FileTimestamp?

  /// Reads the status of those files that exist.
  ///
  /// - Throws: ``StoreAccessError/unreadable(_:)`` if a status can't be read. Such a file hasn't
  ///   changed: nobody uses the store because of it.
  package init(of files: StoreFiles) throws(StoreAccessError) {
    do throws(SystemError) {
      main = try FileStatus.ifPresent(at: files.path).map(FileTimestamp.init)
      log = try FileStatus.ifPresent(at: files.wal).map(FileTimestamp.init)
      journal = try FileStatus.ifPresent(at: files.journal).map(FileTimestamp.init)
    } catch {
      throw .unreadable(error)
    }
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

  init(_ status: FileStatus) {
    (identity, size, modified) = (status.identity, status.size, status.modified)
  }
}
