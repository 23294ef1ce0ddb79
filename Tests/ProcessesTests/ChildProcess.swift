import TestSupport

#if canImport(Glibc)
  import Glibc

  private var noActions: posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
#elseif canImport(Darwin)
  import Darwin

  private var noActions: posix_spawn_file_actions_t? { nil }
#endif

/// A child process with pipes for its standard input and output.
final class ChildProcess {
  let processID: Int32
  private let input: Int32
  private let output: Int32

  /// Starts a program; returns `nil` if it can't be started.
  init?(_ program: String, _ arguments: [String] = []) {
    var (inputs, outputs): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard pipe(&inputs) == 0, pipe(&outputs) == 0 else { return nil }
    for number in inputs + outputs { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    var actions = noActions
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, inputs[0], 0)
    posix_spawn_file_actions_adddup2(&actions, outputs[1], 1)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let code = whileNothingStarts {
      posix_spawnp(&child, program, &actions, nil, &words, environ)
    }
    close(inputs[0])
    close(outputs[1])
    (processID, input, output) = (child, inputs[1], outputs[0])
    if code != 0 { return nil }
  }

  /// Writes a line, and waits until the program has written a text.
  func say(_ line: String, until answer: String) {
    _ = (line + "\n").withCString { write(input, $0, strlen($0)) }
    hear(answer)
  }

  /// Waits until the program has written a text.
  func hear(_ answer: String) {
    var heard = ""
    var byte: UInt8 = 0
    while !heard.hasSuffix(answer), read(output, &byte, 1) == 1 {
      heard.unicodeScalars.append(Unicode.Scalar(byte))
    }
  }

  /// Closes the program's input, waits for its end, and returns its exit status.
  @discardableResult
  func finish() -> Int32 {
    close(input)
    var status: Int32 = 0
    while waitpid(processID, &status, 0) == -1 && errno == EINTR {}
    close(output)
    return status >> 8 & 0xff
  }

  /// Runs a program and returns its exit status, or `nil` if it can't be started.
  static func run(_ program: String, _ arguments: [String]) -> Int32? {
    ChildProcess(program, arguments)?.finish()
  }
}
