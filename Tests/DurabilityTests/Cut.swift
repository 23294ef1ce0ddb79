/// One place at which a run is cut: the n-th call of one kind fails, or the process is killed there.
struct Cut: Hashable, CustomStringConvertible {
  /// What happens at the call.
  enum Fault: String, CaseIterable {
    case noSpace = "error=ENOSPC"
    case ioError = "error=EIO"
    case denied = "error=EACCES"
    case interrupted = "error=EINTR"
    case killed = "signal=SIGKILL"
  }

  /// The system call's name.
  let call: String

  /// Which call of that name in a thread, from 1: `strace` counts them thread by thread.
  let number: Int
  let fault: Fault

  /// What `strace` is told.
  var injection: String { "inject=\(call):\(fault.rawValue):when=\(number)" }

  var description: String { "\(call) \(number) \(fault.rawValue)" }
}

extension Cut {
  /// The calls that change files, or make sure that they are changed.
  ///
  /// Not every system has all of them.
  static let calls = [
    "open", "openat", "write", "pwrite64", "writev", "pwritev", "fsync", "fdatasync",
    "sync_file_range",
    "ftruncate", "truncate", "fallocate", "copy_file_range", "sendfile", "rename", "renameat",
    "renameat2", "link", "linkat", "symlink", "symlinkat", "unlink", "unlinkat", "mkdir", "mkdirat",
    "rmdir", "chmod", "fchmod", "fchmodat", "fchown", "fsetxattr", "utimensat",
  ]

  /// Every cut of a run, at each call that has to do with a folder, with each fault.
  ///
  /// Calls elsewhere are counted and not cut: loading libraries, and looking into `/proc`.
  static func all(in trace: [TracedCall], at folder: String) -> [Cut] {
    var cuts: [Cut] = []
    for (call, number) in numbered(trace) {
      guard call.paths.contains(where: { $0 == folder || $0.hasPrefix(folder + "/") }) else {
        continue
      }
      let atCall = Fault.allCases.map { Cut(call: call.name, number: number, fault: $0) }
      // The first of two threads that comes so far is cut.
      if !cuts.contains(atCall[0]) { cuts += atCall }
    }
    return cuts
  }

  /// Returns whether a run came to the call.
  func isReached(in trace: [TracedCall]) -> Bool {
    Self.numbered(trace).contains { $0.call.name == call && $0.number == number }
  }

  /// The calls, each with its number among those of its name and thread.
  private static func numbered(_ trace: [TracedCall]) -> [(call: TracedCall, number: Int)] {
    var counts: [String: Int] = [:]
    return trace.filter { calls.contains($0.name) }.map { call in
      let kind = "\(call.thread) \(call.name)"
      counts[kind, default: 0] += 1
      return (call, counts[kind] ?? 0)
    }
  }
}
