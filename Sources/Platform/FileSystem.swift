#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// The operations on paths.
///
/// A path is a Swift string, and so is UTF-8: a file whose name isn't can't be named here. Such a
/// name makes listing its folder fail with `EILSEQ`, and is removed with the folder it stands in.
package enum FileSystem {
  /// Returns a Boolean value indicating whether a path leads to anything, a broken link included.
  ///
  /// What the system doesn't tell is an error, and never taken for nothing.
  package static func exists(_ path: String) throws(SystemError) -> Bool {
    try FileStatus.ifPresent(at: path, followingLinks: false) != nil
  }

  /// Gives a file another path, replacing what stands there in one step.
  package static func rename(_ path: String, to newPath: String) throws(SystemError) {
    try check(newPath, "rename to")
    try attempt("rename", path) { sysRename(path, newPath) }
  }

  /// Gives a file a second path; nothing may stand there.
  package static func link(_ path: String, to newPath: String) throws(SystemError) {
    try check(newPath, "link to")
    // A symbolic link would be linked itself.
    try attempt("link", path) {
      linkat(AT_FDCWD, path, AT_FDCWD, newPath, AT_SYMLINK_FOLLOW)
    }
  }

  /// Creates a symbolic link that holds a text.
  package static func symbolicLink(_ path: String, to text: String) throws(SystemError) {
    try check(text, "link to")
    try attempt("create the link", path) { symlink(text, path) }
  }

  /// Removes a file, or a symbolic link without what it leads to.
  package static func remove(_ path: String) throws(SystemError) {
    try attempt("remove", path) { unlink(path) }
  }

  /// Removes a file and returns whether there was one.
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

  /// Creates a folder with these permissions, whatever the umask says.
  package static func createDirectory(
    _ path: String, mode: UInt32 = 0o700
  ) throws(SystemError) {
    try attempt("create the folder", path) { mkdir(path, mode_t(mode)) }
    try attempt("set the permissions of", path) { chmod(path, mode_t(mode)) }
  }

  /// Removes a folder that is empty.
  package static func removeDirectory(_ path: String) throws(SystemError) {
    try attempt("remove the folder", path) { rmdir(path) }
  }

  /// Writes a folder's list of names to the disk itself.
  package static func synchronizeDirectory(_ path: String) throws(SystemError) {
    let number = try attempt("open the folder", path) {
      open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    defer { close(number) }
    try attempt("sync the folder", path) { fsync(number) }
  }

  /// Returns the path without symbolic links, dots and doubled slashes.
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

  /// Returns the bytes an ordinary user may still write to the file system of a path.
  package static func freeBytes(at path: String) throws(SystemError) -> Int64 {
    var status = statvfs()
    try attempt("read the free space at", path) { statvfs(path, &status) }
    return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }

  /// The folder for files that may disappear: `TMPDIR`, else `/tmp`.
  package static var temporaryDirectory: String {
    guard let path = environment("TMPDIR"), !path.isEmpty else { return "/tmp" }
    return path
  }

  /// Creates a new folder for temporary files, for this user only, and returns its path.
  package static func createTemporaryDirectory(prefix: String) throws(SystemError) -> String {
    let template = "\(temporaryDirectory)/\(prefix)-XXXXXX"
    try check(template, "create the folder")
    var bytes = Array(template.utf8CString)
    let made = bytes.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) } != nil
    }
    guard made else {
      throw SystemError(code: errno, call: "create the folder", path: template)
    }
    return String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Refuses the path of a call that is not the one ``attempt(_:_:_:)`` looks at.
  static func check(_ path: String, _ call: String) throws(SystemError) {
    if path.utf8.contains(0) { throw SystemError(code: EINVAL, call: call, path: path) }
  }
}

private func sysRename(_ path: String, _ newPath: String) -> Int32 {
  rename(path, newPath)
}
