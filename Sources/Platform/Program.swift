#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Another program.
public enum Program {
  /// What a program did.
  public struct Outcome: Hashable, Sendable {
    /// What it wrote to its standard output.
    public let output: [UInt8]

    /// Its exit status; 128 and the signal's number where a signal ended it, as shells say it.
    public let status: Int32
  }

  /// The path of the program that this process runs.
  public static var path: String {
    get throws(SystemError) {
      #if os(Linux)
        return try FileSystem.resolve("/proc/self/exe")
      #else
        return try FileSystem.resolve(CommandLine.arguments.first ?? "")
      #endif
    }
  }

  /// Runs a program to its end; it shares this one's standard error and environment.
  ///
  /// The corresponding C function is `posix_spawn`.
  public static func run(_ path: String, _ arguments: [String]) throws(SystemError) -> Outcome {
    var ends: [Int32] = [-1, -1]
    try attempt("pipe", path) { pipe(&ends) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var child: pid_t = 0
    let code = posix_spawn(&child, path, &actions, nil, &words, environ)
    posix_spawn_file_actions_destroy(&actions)
    for word in words { free(word) }
    close(ends[1])
    defer { close(ends[0]) }
    guard code == 0 else { throw SystemError(code: code, call: "run", path: path) }
    return Outcome(output: readAll(ends[0]), status: wait(for: child))
  }

  private static func readAll(_ end: Int32) -> [UInt8] {
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = read(end, &buffer, buffer.count)
      if count == -1 && errno == EINTR { continue }
      if count <= 0 { return output }
      output += buffer.prefix(count)
    }
  }

  private static func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) == -1 && errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? status >> 8 & 0xff : 128 + signal
  }
}
