#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How another program ended.
public struct ProgramEnd: Hashable, Sendable {
  /// What it printed on standard output.
  public let output: [UInt8]

  /// Its exit status; none where a signal ended it.
  public let status: Int32?

  /// The number of the signal that ended it.
  public let signal: Int32?
}

/// Runs programs, so many of them at a time, each in a process of its own.
///
/// Standard input and standard error of the programs are `/dev/null`. A program that can't be started, or that
/// is killed, ends like any other and keeps none of the rest from running.
///
/// - Parameters:
///   - commands: The words of each: the program's path, then its arguments.
///   - limit: How many run at a time, at least 1.
///   - finished: What to do when one ends, with its place among the commands.
/// - Throws: What `finished` throws, when the programs that were running have ended; a ``SystemError`` if the
///   system has no more pipes or processes.
public func runPrograms(
  _ commands: [[String]], atOnce limit: Int, finished: (Int, ProgramEnd) throws -> Void
) throws {
  precondition(limit > 0, "at least one program runs at a time")
  var running: [RunningProgram] = []
  var next = 0
  var failure: (any Error)?
  while failure == nil && next < commands.count || !running.isEmpty {
    while failure == nil, running.count < limit, next < commands.count {
      do {
        running.append(try RunningProgram(starting: commands[next], place: next))
        next += 1
      } catch {
        failure = error
      }
    }
    for place in RunningProgram.wait(for: running).reversed() {
      var program = running[place]
      guard let end = program.readMore() else {
        running[place] = program
        continue
      }
      running.remove(at: place)
      guard failure == nil else { continue }
      do {
        try finished(program.place, end)
      } catch {
        failure = error
      }
    }
  }
  if let failure { throw failure }
}

/// A program that runs, and what it has printed so far.
private struct RunningProgram {
  /// Its place among the commands.
  let place: Int
  private let processID: pid_t
  private let output: Int32
  private var printed: [UInt8] = []

  init(starting words: [String], place: Int) throws(SystemError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SystemError(code: errno, call: "pipe", path: words[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    do {
      processID = try spawn(words, output: ends[1])
    } catch {
      close(ends[0])
      throw error
    }
    output = ends[0]
    self.place = place
  }

  /// Waits until some programs have printed, or ended, and returns their places.
  static func wait(for programs: [RunningProgram]) -> [Int] {
    var polled = programs.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
    guard poll(&polled, nfds_t(polled.count), -1) > 0 else { return [] }
    return polled.indices.filter { polled[$0].revents != 0 }
  }

  /// Reads what was printed; returns how the program ended once there is no more.
  mutating func readMore() -> ProgramEnd? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(output, &buffer, buffer.count)
    if count > 0 {
      printed += buffer[..<count]
      return nil
    }
    if count < 0 && errno == EINTR { return nil }
    close(output)
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0 && errno == EINTR {}
    // The macros of `sys/wait.h`: the low seven bits are the signal, the next byte the exit status.
    let signal = status & 0x7F
    return ProgramEnd(
      output: printed, status: signal == 0 ? status >> 8 & 0xFF : nil,
      signal: signal == 0 ? nil : signal)
  }
}

private func spawn(_ words: [String], output: Int32) throws(SystemError) -> pid_t {
  #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
  #else
    var actions = posix_spawn_file_actions_t()
  #endif
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, output, 1)
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
  let copies = words.compactMap { strdup($0) }
  defer { for copy in copies { free(copy) } }
  var arguments: [UnsafeMutablePointer<CChar>?] = copies + [nil]
  var child: pid_t = 0
  let code = posix_spawn(&child, words[0], &actions, nil, &arguments, environ)
  guard code == 0 else { throw SystemError(code: code, call: "start", path: words[0]) }
  return child
}

/// The path of the program that runs.
public func programPath() throws(SystemError) -> String {
  #if canImport(Darwin)
    var size = UInt32(PATH_MAX)
    var buffer = [CChar](repeating: 0, count: Int(size))
    guard _NSGetExecutablePath(&buffer, &size) == 0 else {
      throw SystemError(code: ENAMETOOLONG, call: "find", path: "the program")
    }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  #else
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let link = "/proc/self/exe"
    let count = readlink(link, &buffer, buffer.count)
    guard count > 0 else { throw SystemError(code: errno, call: "read the link", path: link) }
    return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  #endif
}
