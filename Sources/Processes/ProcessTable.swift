package import Platform

#if os(Linux)
  import Glibc

  private func processes() -> [Int32] {
    ((try? FileSystem.list("/proc")) ?? []).compactMap { Int32($0) }
  }

  private func name(of processID: Int32) -> String? {
    guard let bytes = try? FileSystem.read("/proc/\(processID)/comm") else { return nil }
    return String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
  }

  private func hasOpen(_ processID: Int32, oneOf files: Set<FileIdentity>) -> Bool {
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
#elseif os(macOS)
  import CProcesses

  private func processes() -> [Int32] {
    // More processes may start between the two calls; these have no store open yet.
    var found = [Int32](repeating: 0, count: Int(max(cprocesses_list(nil, 0), 0)) + 64)
    let count = cprocesses_list(&found, Int32(found.count))
    return Array(found.prefix(Int(max(count, 0))))
  }

  private func name(of processID: Int32) -> String? {
    var name = [UInt8](repeating: 0, count: 256)
    let count = cprocesses_name(processID, &name, UInt32(name.count))
    return count > 0 ? String(decoding: name.prefix(Int(count)), as: UTF8.self) : nil
  }

  private func hasOpen(_ processID: Int32, oneOf files: Set<FileIdentity>) -> Bool {
    files.contains {
      cprocesses_has_open(processID, UInt32(truncatingIfNeeded: $0.device), $0.inode) == 1
    }
  }
#else
  // An app on iOS sees no other process.
  private func processes() -> [Int32] { [] }
  private func name(of processID: Int32) -> String? { nil }
  private func hasOpen(_ processID: Int32, oneOf files: Set<FileIdentity>) -> Bool { false }
#endif

/// Returns the IDs of the processes, including this one, that have one of these files open.
///
/// Inspects the processes that this user can inspect: in `/proc`, on macOS with libproc. Files are
/// found by identity, so renaming them doesn't matter.
///
/// - Complexity: Two system calls for each open file of each process.
package func processes(thatHaveOpen files: Set<FileIdentity>) -> [Int32] {
  processes().filter { hasOpen($0, oneOf: files) }
}

extension ProcessSearch {
  /// The search of a program: in `/proc`, on macOS with libproc.
  package static var system: ProcessSearch {
    ProcessSearch(
      processes: { processes(thatHaveOpen: $0) },
      name: { $0 > 0 ? Processes.name(of: $0) : nil })
  }
}
