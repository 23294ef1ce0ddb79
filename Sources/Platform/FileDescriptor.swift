import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file.
///
/// The descriptor closes when its owner is destroyed, and child processes don't inherit it.
/// Interrupted calls are repeated, and short reads and writes are continued.
///
/// POSIX releases all locks that a process has on a file as soon as the process closes *any*
/// descriptor of it. So open a file before SQLite locks it, and close it after SQLite unlocks it.
///
/// Related SQLite documentation:
/// <https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_>
package struct FileDescriptor: ~Copyable, Sendable {
  private let handle: Handle

  /// The path that the file was opened with.
  package let path: String

  /// The operations that an open file allows.
  package enum Access: Hashable, Sendable {
    /// Reading only.
    case reading

    /// Reading and writing.
    case updating
  }

  /// Opens an existing file.
  ///
  /// The corresponding C function is `open`, with `O_NONBLOCK`: opening a pipe doesn't wait for the
  /// other end. Reading from a pipe throws.
  package init(
    opening path: String, for access: Access = .reading, followingLinks: Bool = true
  ) throws(SystemError) {
    let flags =
      (access == .reading ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NONBLOCK
      | (followingLinks ? 0 : O_NOFOLLOW)
    let call = access == .reading ? "open" : "open for writing"
    handle = Handle(number: try attempt(call, path) { open(path, flags) })
    self.path = path
  }

  /// Creates a file with these permissions, regardless of the umask.
  ///
  /// Throws if anything exists at the path, even a broken symbolic link
  /// (``SystemError/isExisting``).
  package init(creating path: String, mode: UInt32 = 0o600) throws(SystemError) {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    handle = Handle(number: try attempt("create", path) { open(path, flags, mode_t(mode)) })
    self.path = path
    // `open` has applied the umask. `fchmod` doesn't fail on a file that this process just created.
    _ = fchmod(handle.number, mode_t(mode))
  }

  /// Takes over a descriptor that was opened relative to a folder.
  init(number: Int32, path: String) {
    handle = Handle(number: number)
    self.path = path
  }

  /// The number of the descriptor.
  var number: Int32 { handle.number }

  /// Closes the file and throws if that fails.
  package consuming func close() throws(SystemError) {
    let code = handle.close()
    // Linux closes the descriptor even if it returns `EINTR`, so don't close again: see close(2).
    if code != 0 && code != EINTR { throw SystemError(code: code, call: "close", path: path) }
  }
}

/// The number of an open descriptor, with one owner.
struct Handle: ~Copyable {
  let number: Int32

  deinit { _ = closed(number) }

  consuming func close() -> Int32 {
    let number = number
    discard self
    return closed(number)
  }
}

/// Closes a descriptor and returns `errno`, or 0.
private func closed(_ number: Int32) -> Int32 {
  close(number) == 0 ? 0 : errno
}

extension FileDescriptor {
  /// Reads the status of the file.
  package func status() throws(SystemError) -> FileStatus {
    var status = stat()
    try attempt("read the status of", path) { fstat(number, &status) }
    return FileStatus(status)
  }

  /// Syncs the file to the disk.
  ///
  /// The corresponding C function is `fsync`. On Darwin it is `fcntl(F_FULLFSYNC)`, because `fsync`
  /// there leaves the bytes in the drive's cache.
  package func synchronize() throws(SystemError) {
    try attempt("sync", path) { cplatform_synchronize(number) }
  }

  /// Starts writing dirty pages to the disk, without waiting.
  ///
  /// A later ``synchronize()`` then takes less time. The corresponding call is Linux's
  /// `sync_file_range`; on other systems the method does nothing.
  package func beginWriting() {
    cplatform_begin_writing(number)
  }

  /// Sets the size of the file in bytes, truncating it or adding zeros.
  package func truncate(to size: Int64) throws(SystemError) {
    try attempt("truncate", path) { ftruncate(number, off_t(size)) }
  }
}
