#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// Returns the IDs of the processes, including this one, that have one of these files open.
///
/// Inspects the processes that this user can inspect. Files are found by identity, so renaming them
/// doesn't matter. Returns nothing on Darwin, which would need libproc (untested).
///
/// - Complexity: Two system calls for each open file of each process.
package func processes(thatHaveOpen files: Set<FileIdentity>) -> [Int32] {
  #if os(Linux)
    let all = (try? FileSystem.list("/proc")) ?? []
    return all.compactMap { Int32($0) }.filter { hasDescriptor($0, ofOne: files) }
  #else
    return []
  #endif
}

/// Returns the name of a running program, or `nil` if the system doesn't report it.
func commandName(of processID: Int32) -> String? {
  #if os(Linux)
    guard processID > 0, let bytes = try? FileSystem.read("/proc/\(processID)/comm") else {
      return nil
    }
    return String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
  #else
    return nil
  #endif
}

#if os(Linux)
  /// Returns whether a process has one of the files open; `false` if it can't be inspected.
  private func hasDescriptor(_ processID: Int32, ofOne files: Set<FileIdentity>) -> Bool {
    guard let folder = opendir("/proc/\(processID)/fd") else { return false }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      if withName(of: entry, { isDescriptor($0, in: dirfd(folder), ofOne: files) }) { return true }
    }
    return false
  }

  private func isDescriptor(
    _ name: UnsafePointer<CChar>, in folder: Int32, ofOne files: Set<FileIdentity>
  ) -> Bool {
    // The target of a pipe or socket, such as `pipe:[7]`, doesn't start with a slash. Skip it:
    // `stat` on a file of a network file system can take long.
    var first: CChar = 0
    guard readlinkat(folder, name, &first, 1) == 1,
      UInt8(bitPattern: first) == UInt8(ascii: "/")
    else { return false }
    var status = stat()
    return fstatat(folder, name, &status, 0) == 0 && files.contains(FileStatus(status).identity)
  }
#endif
