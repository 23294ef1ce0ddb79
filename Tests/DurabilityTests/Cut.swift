import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

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
  /// Calls elsewhere are counted and not cut: loading libraries, and looking into `/proc`.
  static func all(in trace: [TracedCall], at folder: String, of family: Family) -> [Cut] {
    var places: [Place] = []
    var elsewhere: Set<Place> = []
    // What fails in any case isn't cut.
    for (call, place) in numbered(trace, of: family.calls) where !call.isInjected {
      if call.paths.contains(where: { $0 == folder || $0.hasPrefix(folder + "/") }) {
        // The first of two threads that comes so far is cut.
        if !places.contains(place) { places.append(place) }
      } else {
        elsewhere.insert(place)
      }
    }
    return places.filter { !elsewhere.contains($0) }.flatMap { place in
      family.faults(place.call).map { Cut(call: place.call, number: place.number, fault: $0) }
    }
  }

  /// Returns whether a run came to the call.
  func isReached(in trace: [TracedCall]) -> Bool {
    Self.numbered(trace, of: [call]).contains { $0.place.number == number }
  }

  /// A call among those of its name and thread.
  private struct Place: Hashable {
    let call: String
    let number: Int
  }

  /// The calls of some names, each with its number.
  private static func numbered(
    _ trace: [TracedCall], of calls: [String]
  ) -> [(call: TracedCall, place: Place)] {
    var counts: [String: Int] = [:]
    return trace.filter { calls.contains($0.name) }.map { call in
      let kind = "\(call.thread) \(call.name)"
      counts[kind, default: 0] += 1
      return (call, Place(call: call.name, number: counts[kind] ?? 0))
    }
  }
}
