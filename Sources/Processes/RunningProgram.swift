import Platform

#if canImport(Glibc)
  import Glibc

  private var noActions: posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
  private var noAttributes: posix_spawnattr_t { posix_spawnattr_t() }
#elseif canImport(Darwin)
  import Darwin

  private var noActions: posix_spawn_file_actions_t? { nil }
  private var noAttributes: posix_spawnattr_t? { nil }
#endif

/// A running program, and the bytes it has written to standard output so far.
struct RunningProgram {
  private let processID: pid_t
  private let output: Int32

  /// The end of the pipe to its standard input; `nil` if it has this process's, or is closed.
  private var input: Int32?
  private var printed: [UInt8] = []

  /// Whether a stop signal was sent on to the program.
  private var isStopping = false

  /// Starts a program.
  ///
  /// The corresponding C function is `posix_spawn`.
  ///
  /// - Parameters:
  ///   - words: The path of the program, followed by its arguments.
  ///   - takesWords: Pass `true` for a pipe as standard input and a process group of its own;
  ///     `false` to share this process's.
  ///   - sharesErrors: Whether standard error is this process's, instead of `/dev/null`.
  /// - Throws: A ``SystemError`` if the program doesn't exist, or the system is out of pipes or
  ///   processes.
  init(starting words: [String], takesWords: Bool, sharesErrors: Bool) throws(SystemError) {
    let output = try Self.openPipe(words[0])
    defer { close(output.write) }
    var input: (read: Int32, write: Int32)?
    defer { if let input { close(input.read) } }
    do throws(SystemError) {
      input = takesWords ? try Self.openPipe(words[0]) : nil
      processID = try Self.spawn(words, output.write, input?.read, sharesErrors)
    } catch {
      close(output.read)
      if let input { close(input.write) }
      throw error
    }
    self.input = input?.write
    self.output = output.read
  }

  /// Returns the ends of a new pipe, which programs don't inherit.
  private static func openPipe(_ path: String) throws(SystemError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    try attempt("pipe", path) { pipe(&ends) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func spawn(
    _ words: [String], _ output: Int32, _ input: Int32?, _ sharesErrors: Bool
  ) throws(SystemError) -> pid_t {
    var actions = noActions
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    if !sharesErrors {
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var attributes = noAttributes
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A terminal sends Control-C to its whole process group. In a group of its own, the program
    // gets it once: from this process, which relays it.
    if input != nil { posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP)) }
    var child: pid_t = 0
    let code = posix_spawn(&child, words[0], &actions, &attributes, &arguments, environ)
    guard code == 0 else { throw SystemError(code: code, call: "run", path: words[0]) }
    return child
  }

  /// Waits until programs have written output or ended, at most 100 ms; returns their indices.
  static func wait(for programs: [RunningProgram]) -> [Int] {
    var polled = programs.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
    guard poll(&polled, nfds_t(polled.count), 100) > 0 else { return [] }
    return polled.indices.filter { polled[$0].revents != 0 }
  }

  /// Sends a stop signal on to the program, once, if this process noted one.
  mutating func relayStopSignal() {
    guard !isStopping, let signal = StopSignal.noted else { return }
    isStopping = true
    kill(processID, signal.rawValue)
  }

  /// Sends a word, followed by NUL; returns `false` if the program has ended.
  func send(_ word: String) -> Bool {
    guard let input else { return false }
    return (try? writeAll((Array(word.utf8) + [0]).span, to: input, path: nil)) != nil
  }

  /// Ends the program's standard input.
  mutating func endInput() {
    if let input { close(input) }
    input = nil
  }

  /// Returns what the program wrote since its last answer, if that is an answer; else `nil`.
  ///
  /// An answer ends with NUL, its exit status in digits, and NUL.
  mutating func takeAnswer() -> Program.Outcome? {
    guard printed.last == 0, let end = printed.firstIndex(of: 0), end < printed.count - 1,
      let status = Int32(String(decoding: printed[(end + 1)...].dropLast(), as: UTF8.self))
    else { return nil }
    defer { printed = [] }
    return Program.Outcome(output: Array(printed[..<end]), status: status, signal: nil)
  }

  /// Waits for more output; returns the outcome if the program has ended, or `nil`.
  mutating func readMore() -> Program.Outcome? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(output, &buffer, buffer.count)
    if count > 0 {
      printed += buffer.prefix(count)
      return nil
    }
    if count < 0 && errno == EINTR { return nil }
    close(output)
    endInput()
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0 && errno == EINTR {}
    // The macros of `sys/wait.h`: the low seven bits are the signal, the next byte the exit status.
    let signal = status & 0x7F
    return Program.Outcome(
      output: printed, status: signal == 0 ? status >> 8 & 0xFF : 128 + signal,
      signal: signal == 0 ? nil : signal)
  }
}
