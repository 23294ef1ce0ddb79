#if canImport(Glibc)
  package import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

extension FileSystem {
  /// Returns the names in a directory in byte order, without `.` and `..`.
  ///
  /// - Throws: `EILSEQ` if a name isn't UTF-8.
  package static func list(_ path: String) throws(SystemError) -> [String] {
    let number = try attempt("open the folder", path) {
      open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    return try names(in: number, path)
  }

  /// Returns the names in an open folder and closes the folder.
  ///
  /// - Throws: `EILSEQ` if a name isn't UTF-8, unless such names are left out.
  static func names(
    in number: Int32, _ path: String, leavesOutOthers: Bool = false
  ) throws(SystemError) -> [String] {
    var names: [String] = []
    for name in try entries(of: number, path) {
      guard let name = String(validating: name.dropLast(), as: UTF8.self) else {
        if leavesOutOthers { continue }
        let text = String(decoding: name.dropLast(), as: UTF8.self)
        throw SystemError(code: EILSEQ, call: "list", path: "\(path)/\(text)")
      }
      names.append(name)
    }
    return names
  }

  /// Removes a file, or a directory with its contents, without following symbolic links.
  package static func removeTree(_ path: String) throws(SystemError) {
    try check(path, "remove")
    let name = Array(path.utf8) + [0]
    try removeTree(name, in: AT_FDCWD, path)
  }

  /// Removes what has a name, which ends with NUL, in an open folder.
  static func removeTree(
    _ name: [UInt8], in parent: Int32, _ path: String
  ) throws(SystemError) {
    let opened: Int32
    do throws(SystemError) {
      opened = try attempt("open the folder", path) {
        withCString(name) { openat(parent, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
      }
    } catch {
      // Not a directory, or a symbolic link: remove the entry itself.
      guard error.code == ENOTDIR || error.code == ELOOP else { throw error }
      try attempt("remove", path) { withCString(name) { unlinkat(parent, $0, 0) } }
      return
    }
    // `fdopendir` takes over the descriptor, and `unlinkat` needs one for the same directory.
    let folder = dup(opened)
    defer { close(folder) }
    for entry in try entries(of: opened, path) {
      let text = String(decoding: entry.dropLast(), as: UTF8.self)
      try removeTree(entry, in: folder, path + "/" + text)
    }
    try attempt("remove the folder", path) {
      withCString(name) { unlinkat(parent, $0, AT_REMOVEDIR) }
    }
  }

  /// Returns the names in an open directory, each with its NUL, and closes the directory.
  private static func entries(of number: Int32, _ path: String) throws(SystemError) -> [[UInt8]] {
    guard let folder = fdopendir(number) else {
      let code = errno
      close(number)
      throw SystemError(code: code, call: "list", path: path)
    }
    defer { closedir(folder) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = readdir(folder) else { break }
      let name = withName(of: entry) { name in
        Array(UnsafeRawBufferPointer(start: name, count: strlen(name) + 1))
      }
      if name != [0x2e, 0] && name != [0x2e, 0x2e, 0] { names.append(name) }
    }
    if errno != 0 { throw SystemError(code: errno, call: "list", path: path) }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func withCString<Result>(
    _ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    name.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("a name ends with NUL") }
      return body(start)
    }
  }
}

/// Passes the NUL-terminated name of a directory entry to a closure.
///
/// The name is read in place: the entry can be shorter than C's declaration of `dirent`, so copying
/// the structure would read past its end.
package func withName<Result>(
  of entry: UnsafeMutablePointer<dirent>, _ body: (UnsafePointer<CChar>) -> Result
) -> Result {
  guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
    preconditionFailure("a member of a C structure has an offset")
  }
  return body((UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
}
