#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// What tells one file from another as long as it exists, whatever its paths.
package struct FileIdentity: Hashable, Sendable {
  /// The number of the file system.
  package let device: UInt64

  /// The number of the file in it.
  package let inode: UInt64

  /// Creates an identity.
  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// The kind of thing a path leads to.
package enum FileKind: String, Hashable, Sendable {
  /// A file with bytes.
  case regular

  /// A folder.
  case directory

  /// A symbolic link that wasn't followed.
  case symbolicLink

  /// A pipe, a socket or a device.
  case other
}

/// What the file system knows about a file.
///
/// The corresponding C structure is `stat`.
package struct FileStatus: Hashable, Sendable {
  /// The number of bytes.
  package let size: Int64

  /// The identity of the file.
  package let identity: FileIdentity

  /// The number of names the file has.
  package let linkCount: Int

  /// The permissions, `0o7777` at most.
  package let mode: UInt32

  /// The user the file belongs to.
  package let owner: UInt32

  /// The group the file belongs to.
  package let group: UInt32

  /// The moment its bytes last changed.
  package let modified: Timestamp

  /// The kind of file.
  package let kind: FileKind

  /// The bytes it takes up on the disk, which is less than its size for a file with holes.
  package let allocatedSize: Int64

  init(_ status: stat) {
    size = Int64(status.st_size)
    identity = FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
    linkCount = Int(status.st_nlink)
    mode = UInt32(status.st_mode) & 0o7777
    owner = status.st_uid
    group = status.st_gid
    #if canImport(Darwin)
      modified = Timestamp(status.st_mtimespec)
    #else
      modified = Timestamp(status.st_mtim)
    #endif
    kind =
      switch mode_t(status.st_mode) & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    allocatedSize = Int64(status.st_blocks) * 512
  }
}

extension FileStatus {
  /// Asks for the status of what a path leads to.
  package init(of path: String, followingLinks: Bool = true) throws(SystemError) {
    var status = stat()
    try attempt("read the status of", path) {
      followingLinks ? stat(path, &status) : lstat(path, &status)
    }
    self.init(status)
  }

  /// Asks for the status of what a path leads to; returns nil where there is nothing.
  package static func ifPresent(
    at path: String, followingLinks: Bool = true
  ) throws(SystemError) -> FileStatus? {
    do throws(SystemError) {
      return try FileStatus(of: path, followingLinks: followingLinks)
    } catch {
      if error.isNotFound { return nil }
      throw error
    }
  }
}
