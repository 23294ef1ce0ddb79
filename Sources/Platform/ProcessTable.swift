#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Returns the processes, this one included, that have a descriptor of one of these files.
///
/// Looks into the processes this user may look into, whatever the paths of the files are by now.
/// On Darwin, where that takes libproc, it finds none (untested).
///
/// - Complexity: Two calls for every open file of every such process.
public func processes(thatHaveOpen files: Set<FileIdentity>) -> [Int32] {
  #if os(Linux)
    return names(in: "/proc").compactMap { Int32($0) }.filter { processID in
      let folder = "/proc/\(processID)/fd"
      return names(in: folder).contains { isDescriptor("\(folder)/\($0)", ofOne: files) }
    }
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
  /// Returns the names in a folder of `/proc`; a process that ended or isn't ours has none.
  private func names(in folder: String) -> [String] {
    (try? FileSystem.list(folder)) ?? []
  }

  private func isDescriptor(_ path: String, ofOne files: Set<FileIdentity>) -> Bool {
    // A descriptor of no file, such as `pipe:[7]`, is told by its text. Asking a file for its
    // status may take long on a network's file system, and asking a pipe is a waste.
    var first: CChar = 0
    guard readlink(path, &first, 1) == 1, UInt8(bitPattern: first) == UInt8(ascii: "/") else {
      return false
    }
    guard let status = try? FileStatus(of: path) else { return false }
    return files.contains(status.identity)
  }
#endif
