#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// Returns the processes, this one included, that have a descriptor of one of these files.
///
/// Looks into the processes this user may look into, whatever the paths of the files are by now.
/// On Darwin, where that takes libproc, it finds none (untested).
///
/// - Complexity: Two calls for every open file of every such process.
package func processes(thatHaveOpen files: Set<FileIdentity>) -> [Int32] {
  #if os(Linux)
    let all = (try? FileSystem.list("/proc")) ?? []
    return all.compactMap { Int32($0) }.filter { hasDescriptor($0, ofOne: files) }
  #else
    return []
  #endif
}

/// Returns the name of a running program, as far as the system tells.
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
  /// Returns whether a process has one of these files open; one that ended or isn't ours has none.
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
    // A descriptor of no file, such as `pipe:[7]`, is told by its text. Asking a file for its
    // status may take long on a network's file system, and asking a pipe is a waste.
    var first: CChar = 0
    guard readlinkat(folder, name, &first, 1) == 1,
      UInt8(bitPattern: first) == UInt8(ascii: "/")
    else { return false }
    var status = stat()
    return fstatat(folder, name, &status, 0) == 0 && files.contains(FileStatus(status).identity)
  }
#endif
