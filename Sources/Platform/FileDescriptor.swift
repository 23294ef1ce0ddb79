import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// An open file.
///
/// A descriptor has one owner and closes when the owner lets go of it. It is never handed to a
/// child process. Calls that a signal interrupts are made again, and short reads and writes are
/// continued.
///
/// POSIX drops all locks a process has on a file as soon as the process closes *any* descriptor of
/// it: a file that SQLite has locked is opened before it is locked, and closed after.
package struct FileDescriptor: ~Copyable, Sendable {
  private let handle: Handle

  /// The path the file was opened by.
  package let path: String

  /// What an open file may be used for.
  package enum Access: Hashable, Sendable {
    /// Reading only.
    case reading

    /// Reading and writing.
    case updating
  }

  /// Opens a file that exists.
  ///
  /// The corresponding C function is `open`. A pipe's other end isn't waited for; reading from a pipe is
  /// an error.
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

  /// Creates a file that doesn't exist yet, with these permissions whatever the umask says.
  ///
  /// Anything at the path, a broken symbolic link too, is an error (``SystemError/isExisting``).
  package init(creating path: String, mode: UInt32 = 0o600) throws(SystemError) {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    handle = Handle(number: try attempt("create", path) { open(path, flags, mode_t(mode)) })
    self.path = path
    // The umask has taken permissions away. On a file just created, giving them doesn't fail.
    _ = fchmod(handle.number, mode_t(mode))
  }

  /// Takes over a descriptor that was opened relative to a folder.
  init(number: Int32, path: String) {
    handle = Handle(number: number)
    self.path = path
  }

  /// The number of the descriptor, for calls within this target.
  var number: Int32 { handle.number }

  /// Closes the file and tells whether that failed.
  package consuming func close() throws(SystemError) {
    let code = handle.close()
    // Linux has closed the descriptor even where it reports a signal: never again, close(2).
    if code != 0 && code != EINTR { throw SystemError(code: code, call: "close", path: path) }
  }
}

/// The number of an open file, which nobody else closes.
struct Handle: ~Copyable {
  let number: Int32

  deinit { _ = closed(number) }

  consuming func close() -> Int32 {
    let number = number
    discard self
    return closed(number)
  }
}

/// Closes a descriptor and returns C's `errno`, or 0.
private func closed(_ number: Int32) -> Int32 {
  close(number) == 0 ? 0 : errno
}

extension FileDescriptor {
  /// Asks for the status of the file.
  package func status() throws(SystemError) -> FileStatus {
    var status = stat()
    try attempt("read the status of", path) { fstat(number, &status) }
    return FileStatus(status)
  }

  /// Writes what the system still holds back to the disk itself.
  ///
  /// The corresponding C function is `fsync`, and `fcntl(F_FULLFSYNC)` on Darwin (untested), where
  /// `fsync` leaves the bytes in the drive's memory.
  package func synchronize() throws(SystemError) {
    #if canImport(Darwin)
      if fcntl(number, F_FULLFSYNC) == 0 { return }
    #endif
    try attempt("sync", path) { fsync(number) }
  }

  /// Has the system begin to write back what it holds, without waiting.
  ///
  /// Less is left for ``synchronize()``.
  ///
  /// The corresponding call is Linux's `sync_file_range`; elsewhere nothing is begun.
  package func beginWriting() {
    cplatform_begin_writing(number)
  }

  /// Sets the number of bytes of the file, cutting it or adding zeros.
  package func truncate(to size: Int64) throws(SystemError) {
    try attempt("truncate", path) { ftruncate(number, off_t(size)) }
  }
}
