/// One place at which a run is cut: the n-th call of one kind fails, or the process is killed there.
struct Cut: Hashable, CustomStringConvertible {
  /// What happens at the call.
  enum Fault: String {
    case noSpace = "error=ENOSPC"
    case ioError = "error=EIO"
    case denied = "error=EACCES"
    case interrupted = "error=EINTR"
    case killed = "signal=SIGKILL"

    /// A read finds the file's end, as if somebody had cut it.
    case ended = "retval=0"
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
  /// Calls of one purpose, and what happens at each.
  struct Family: Sendable {
    let calls: [String]
    let faults: @Sendable (String) -> [Fault]
  }

  /// The calls that change files, or make sure that they are changed.
  ///
  /// Not every system has all of them.
  static let changes = Family(
    calls: [
      "open", "openat", "write", "pwrite64", "writev", "pwritev", "fsync", "fdatasync",
      "sync_file_range", "ftruncate", "truncate", "fallocate", "copy_file_range", "sendfile",
      "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat", "unlink",
      "unlinkat", "mkdir", "mkdirat", "rmdir", "chmod", "fchmod", "fchmodat", "fchown", "fsetxattr",
      "utimensat",
    ], faults: { _ in [.noSpace, .ioError, .denied, .interrupted, .killed] })

  /// The calls that read files, and ask what there is.
  static let looks = Family(
    calls: [
      "read", "pread64", "readv", "preadv", "fstat", "stat", "lstat", "newfstatat", "statx",
      "access", "faccessat", "faccessat2", "getdents64", "readlink", "readlinkat", "statfs",
      "fstatfs", "flistxattr", "fgetxattr",
    ],
    faults: { call in
      reads.contains(call) ? [.ioError, .interrupted, .ended] : [.ioError]
    })

  private static let reads = ["read", "pread64", "readv", "preadv"]

  /// Every cut of a run, at each call that has to do with a folder, with each fault.
  ///
  /// Calls elsewhere are counted and not cut: loading libraries, and looking into `/proc`. `strace` counts the
  /// calls of each thread by itself, and cuts all that have the number.
  static func all(in trace: [TracedCall], at folder: String, of family: Family) -> [Cut] {
    var counts: [String: Int] = [:]
    var places: [Place] = []
    var elsewhere: Set<Place> = []
    for call in trace where family.calls.contains(call.name) {
      counts["\(call.thread) \(call.name)", default: 0] += 1
      let place = Place(call: call.name, number: counts["\(call.thread) \(call.name)"] ?? 0)
      if call.paths.contains(where: { $0 == folder || $0.hasPrefix(folder + "/") }) {
        if !places.contains(place) { places.append(place) }
      } else {
        elsewhere.insert(place)
      }
    }
    return places.filter { !elsewhere.contains($0) }.flatMap { place in
      family.faults(place.call).map { Cut(call: place.call, number: place.number, fault: $0) }
    }
  }

  private struct Place: Hashable {
    let call: String
    let number: Int
  }

  /// Returns whether a thread of a run came to the call.
  func isReached(in trace: [TracedCall]) -> Bool {
    Dictionary(grouping: trace.filter { $0.name == call }, by: \.thread)
      .contains { $0.value.count >= number }
  }
}
