#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileDescriptor {
  /// Locks a database file exclusively, with the byte ranges that SQLite locks for writing.
  ///
  /// The kernel releases the lock when the process closes any descriptor of the file, or ends.
  ///
  /// - Throws: A ``SystemError`` if another process has a lock.
  package func lockAsDatabase() throws(SystemError) {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = SQLiteLock.wholeMainFile
    try attempt("lock", path) { fcntl(number, F_SETLK, &lock) }
  }
}
