import Platform

/// A file that runs replace by a newer one: metrics or rates.
struct KeptFile {
  let path: String

  /// Returns whether a run may replace the file.
  ///
  /// It may if nothing is there, or a regular file that its owner may write, whose content `isOurs`. It may not replace links,
  /// devices, or a name that SQLite gives to the log of a store.
  func mayBeReplaced(ifContent isOurs: ([UInt8]) -> Bool) -> Bool {
    guard !path.isEmpty, !["-wal", "-shm", "-journal"].contains(where: path.hasSuffix) else {
      return false
    }
    do {
      guard let status = try FileStatus.ifPresent(at: path, followingLinks: false) else {
        return true
      }
      guard status.kind == .regular, status.mode & 0o200 != 0 else { return false }
      return isOurs(try FileSystem.read(path, limit: 1 << 20))
    } catch {
      return false
    }
  }
}
