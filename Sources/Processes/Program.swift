import CProcesses
package import Platform

/// Runs other programs.
package enum Program {
  /// The result of running a program.
  package struct Outcome: Hashable, Sendable {
    /// The bytes that the program wrote to standard output.
    package let output: [UInt8]

    /// The exit status; 128 plus the signal's number if a signal ended the program, as in shells.
    package let status: Int32

    /// The number of the signal that ended the program, or `nil` if it exited.
    package let signal: Int32?
  }

  /// The path of this process's executable.
  package static var path: String {
    get throws(SystemError) {
      var path = [CChar](repeating: 0, count: 1 << 12)
      try attempt("find this program", nil) { cprocesses_program_path(&path, UInt32(path.count)) }
      let bytes = path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return try FileSystem.resolve(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Runs a program and waits for its end.
  ///
  /// The program shares this process's standard input, standard error and environment. A stop
  /// signal that this process notes is sent on to the program.
  ///
  /// - Parameters:
  ///   - path: The path of the program.
  ///   - arguments: The program's arguments.
  /// - Returns: The outcome.
  /// - Throws: A ``SystemError`` if the program can't be started.
  package static func run(
    _ path: String, _ arguments: [String]
  ) throws(SystemError) -> Outcome {
    var program = try RunningProgram(
      starting: [path] + arguments, isAlone: false, sharesErrors: true)
    while true {
      program.relayStopSignal()
      if RunningProgram.wait(for: [program]).isEmpty { continue }
      if let outcome = program.readMore() { return outcome }
    }
  }

  /// Runs programs in parallel, each in its own process.
  ///
  /// Their standard input is `/dev/null`. A program that a signal ends is
  /// reported like any other, and the rest still run. A stop signal that this process notes is sent
  /// on to the running programs, and no more are started.
  ///
  /// - Parameters:
  ///   - commands: The path of each program, followed by its arguments.
  ///   - limit: The number of programs to run at the same time, at least 1.
  ///   - sharingErrors: Whether their standard error is this process's, instead of `/dev/null`.
  ///   - finished: A closure to call when a program ends, with its index in `commands`.
  /// - Throws: The error of `finished`, or a ``SystemError`` if a program can't be started.
  ///   Programs that are running have ended by then.
  package static func runAll(
    _ commands: [[String]], atOnce limit: Int, sharingErrors: Bool = false,
    finished: (Int, Outcome) throws -> Void
  ) throws {
    precondition(limit > 0, "at least one program runs at a time")
    var running: [(index: Int, program: RunningProgram)] = []
    var next = 0
    var failure: (any Error)?
    func startsMore() -> Bool {
      failure == nil && next < commands.count && StopSignal.noted == nil
    }
    while startsMore() || !running.isEmpty {
      do {
        while startsMore(), running.count < limit {
          let program = try RunningProgram(
            starting: commands[next], isAlone: true, sharesErrors: sharingErrors)
          running.append((next, program))
          next += 1
        }
      } catch {
        failure = error
      }
      for position in running.indices { running[position].program.relayStopSignal() }
      for position in RunningProgram.wait(for: running.map(\.program)).reversed() {
        guard let outcome = running[position].program.readMore() else { continue }
        let index = running.remove(at: position).index
        guard failure == nil else { continue }
        do {
          try finished(index, outcome)
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
  }
}
