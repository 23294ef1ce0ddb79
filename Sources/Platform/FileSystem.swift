import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Operations on paths.
///
/// A path is a Swift string, and therefore UTF-8. Files whose names aren't UTF-8 can't be
/// addressed: listing their directory throws `EILSEQ`. ``removeTree(_:)`` on the directory removes
/// them.
package enum FileSystem {
  /// Returns whether anything exists at a path, including a broken symbolic link.
  ///
  /// Throws if the system can't tell, for example without permission for the directory.
  package static func exists(_ path: String) throws(SystemError) -> Bool {
    try FileStatus.ifPresent(at: path, followingLinks: false) != nil
  }

  /// Renames a file, replacing a file at the new path atomically.
  package static func rename(_ path: String, to newPath: String) throws(SystemError) {
    try check(newPath, "rename to")
    try attempt("rename", path) { sysRename(path, newPath) }
  }

  /// Creates a hard link; throws if something exists at the new path.
  package static func link(_ path: String, to newPath: String) throws(SystemError) {
    try check(newPath, "link to")
    // Without the flag, `linkat` would link a symbolic link itself.
    try attempt("link", path) {
      linkat(AT_FDCWD, path, AT_FDCWD, newPath, AT_SYMLINK_FOLLOW)
    }
  }

  /// Creates a symbolic link to a target path.
  package static func symbolicLink(_ path: String, to text: String) throws(SystemError) {
    try check(text, "link to")
    try attempt("create the link", path) { symlink(text, path) }
  }

  /// Removes a file, or a symbolic link without its target.
  package static func remove(_ path: String) throws(SystemError) {
    try attempt("remove", path) { unlink(path) }
  }

  /// Removes a file if it exists, and returns whether it did.
  @discardableResult
  package static func removeIfPresent(_ path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try remove(path)
      return true
    } catch {
      if error.code == ENOENT { return false }
      throw error
    }
  }

  /// Creates a directory with these permissions, regardless of the umask.
  package static func createDirectory(
    _ path: String, mode: UInt32 = 0o700
  ) throws(SystemError) {
    try attempt("create the folder", path) { mkdir(path, mode_t(mode)) }
    try setPermissions(path, mode)
  }

  /// Sets the permissions of a file or directory.
  package static func setPermissions(_ path: String, _ mode: UInt32) throws(SystemError) {
    try attempt("set the permissions of", path) { chmod(path, mode_t(mode)) }
  }

  /// Removes an empty directory.
  package static func removeDirectory(_ path: String) throws(SystemError) {
    try attempt("remove the folder", path) { rmdir(path) }
  }

  /// Syncs a directory, which makes creations, renames and removals in it durable.
  package static func synchronizeDirectory(_ path: String) throws(SystemError) {
    let number = try attempt("open the folder", path) {
      open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    defer { close(number) }
    try attempt("sync the folder", path) { cplatform_synchronize(number) }
  }

  /// Throws unless this process may write to the file or directory at a path.
  ///
  /// Nothing is opened: closing a descriptor of a database would drop the locks on it.
  package static func checkWritable(_ path: String) throws(SystemError) {
    try attempt("open for writing", path) { faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) }
  }

  /// Returns the absolute path without symbolic links, `.`, `..` and repeated slashes.
  package static func resolve(_ path: String) throws(SystemError) -> String {
    try check(path, "resolve")
    guard let resolved = realpath(path, nil) else {
      throw SystemError(code: errno, call: "resolve", path: path)
    }
    defer { free(resolved) }
    guard let text = String(validatingCString: resolved) else {
      throw SystemError(code: EILSEQ, call: "resolve", path: path)
    }
    return text
  }

  /// Returns the free bytes of a path's file system that users other than root can use.
  package static func freeBytes(at path: String) throws(SystemError) -> Int64 {
    let status = try space(at: path)
    return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }

  /// Returns the number of files that users other than root can still create beside a path.
  ///
  /// The result is `nil` if the file system doesn't count its files.
  package static func freeFiles(at path: String) throws(SystemError) -> Int64? {
    let status = try space(at: path)
    return status.f_files == 0 ? nil : Int64(clamping: status.f_favail)
  }

  private static func space(at path: String) throws(SystemError) -> statvfs {
    var status = statvfs()
    try attempt("read the free space at", path) { statvfs(path, &status) }
    return status
  }

  /// Throws `EINVAL` if a path contains NUL; ``attempt(_:_:_:)`` checks only the path it is given.
  package static func check(_ path: String, _ call: String) throws(SystemError) {
    if path.utf8.contains(0) { throw SystemError(code: EINVAL, call: call, path: path) }
  }
}

private func sysRename(_ path: String, _ newPath: String) -> Int32 {
  rename(path, newPath)
}
