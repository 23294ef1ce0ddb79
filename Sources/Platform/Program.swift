/// Another program.
package enum Program {
  /// What a program did.
  package struct Outcome: Hashable, Sendable {
    /// What it wrote to its standard output.
    package let output: [UInt8]

    /// Its exit status; 128 and the signal's number where a signal ended it, as shells say it.
    package let status: Int32

    /// The number of the signal that ended it; none where it ended by itself.
    package let signal: Int32?
  }

  /// The path of the program that this process runs.
  package static var path: String {
    get throws(SystemError) {
      #if os(Linux)
        return try FileSystem.resolve("/proc/self/exe")
      #else
        return try FileSystem.resolve(CommandLine.arguments.first ?? "")
      #endif
    }
  }

  /// Runs a program to its end; it shares this one's standard input, standard error and environment.
  package static func run(_ path: String, _ arguments: [String]) throws(SystemError) -> Outcome {
    var program = try RunningProgram(starting: [path] + arguments, isQuiet: false)
    while true {
      if let outcome = program.readMore() { return outcome }
    }
  }

  /// Runs programs, so many of them at a time, each in a process of its own.
  ///
  /// Their standard input and standard error are `/dev/null`. One that is killed ends like any other and keeps
  /// none of the rest from running.
  ///
  /// - Parameters:
  ///   - commands: The words of each: the program's path, then its arguments.
  ///   - limit: How many run at a time, at least 1.
  ///   - finished: What to do when one ends, with its place among the commands.
  /// - Throws: What `finished` throws, or a ``SystemError`` if a program can't be started; the programs that
  ///   were running have ended by then.
  package static func runAll(
    _ commands: [[String]], atOnce limit: Int, finished: (Int, Outcome) throws -> Void
  ) throws {
    precondition(limit > 0, "at least one program runs at a time")
    var running: [(place: Int, program: RunningProgram)] = []
    var next = 0
    var failure: (any Error)?
    while failure == nil && next < commands.count || !running.isEmpty {
      do {
        while failure == nil, running.count < limit, next < commands.count {
          running.append((next, try RunningProgram(starting: commands[next], isQuiet: true)))
          next += 1
        }
      } catch {
        failure = error
      }
      for index in RunningProgram.wait(for: running.map(\.program)).reversed() {
        guard let outcome = running[index].program.readMore() else { continue }
        let place = running.remove(at: index).place
        guard failure == nil else { continue }
        do {
          try finished(place, outcome)
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
  }
}
