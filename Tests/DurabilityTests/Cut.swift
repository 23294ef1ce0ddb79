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

  /// Which call of that name, from 1.
  let number: Int
  let fault: Fault

  /// What `strace` is told.
  var injection: String { "inject=\(call):\(fault.rawValue):when=\(number)" }

  var description: String { "\(call) \(number) \(fault.rawValue)" }
}

extension Cut {
  /// The calls that change files, or make sure that they are changed.
  static let calls = [
    "openat", "write", "pwrite64", "fsync", "fdatasync", "ftruncate", "rename", "link", "linkat",
    "unlink", "unlinkat", "mkdir", "rmdir", "chmod", "fchmod", "fchown", "copy_file_range",
  ]

  /// Every cut of a run whose calls were counted.
  static func all(_ counts: [String: Int]) -> [Cut] {
    counts.sorted { $0.key < $1.key }.flatMap { call, count in
      (1...count).flatMap { number in
        Fault.allCases.map { Cut(call: call, number: number, fault: $0) }
      }
    }
  }
}
