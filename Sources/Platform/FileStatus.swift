#if canImport(Glibc)
  package import Glibc

  extension stat {
    /// The time of the last access.
    var accessTime: timespec { st_atim }

    /// The time of the last modification.
    var modificationTime: timespec { st_mtim }
  }
#elseif canImport(Darwin)
  package import Darwin

  extension stat {
    var accessTime: timespec { st_atimespec }
    var modificationTime: timespec { st_mtimespec }
  }
#endif

/// The identity of a file, which doesn't depend on its paths.
///
/// The system may reuse an identity after the file is removed.
package struct FileIdentity: Hashable, Sendable {
  /// The device number of the file system.
  package let device: UInt64

  /// The inode number.
  package let inode: UInt64

  /// Creates an identity.
  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// The kind of a file.
package enum FileKind: String, Hashable, Sendable {
  /// A regular file.
  case regular

  /// A directory.
  case directory

  /// A symbolic link that wasn't followed.
  case symbolicLink

  /// A pipe, a socket or a device.
  case other
}

/// The status of a file.
///
/// The corresponding C structure is `stat`.
package struct FileStatus: Hashable, Sendable {
  /// The size in bytes.
  package let size: Int64

  /// The identity.
  package let identity: FileIdentity

  /// The number of hard links.
  package let linkCount: Int

  /// The permission bits, at most `0o7777`.
  package let mode: UInt32

  /// The user ID of the owner.
  package let owner: UInt32

  /// The group ID of the owner.
  package let group: UInt32

  /// The time of the last modification.
  package let modified: Timestamp

  /// The kind.
  package let kind: FileKind

  /// The allocated bytes on the disk, fewer than `size` if the file is sparse.
  package let allocatedSize: Int64

  package init(_ status: stat) {
    size = Int64(status.st_size)
    identity = FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
    linkCount = Int(status.st_nlink)
    mode = UInt32(status.st_mode) & 0o7777
    owner = status.st_uid
    group = status.st_gid
    modified = Timestamp(status.modificationTime)
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
  /// Whether only the owner of the folder, or that of a file in it, may replace the file.
  package var isSticky: Bool { mode & 0o1000 != 0 }

  /// Reads the status of the file at a path.
  package init(of path: String, followingLinks: Bool = true) throws(SystemError) {
    var status = stat()
    try attempt("read the status of", path) {
      followingLinks ? stat(path, &status) : lstat(path, &status)
    }
    self.init(status)
  }

  /// Reads the status of the file at a path, or returns `nil` if nothing exists there.
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
