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
      starting: [path] + arguments, takesWords: false, sharesErrors: true)
    while true {
      program.relayStopSignal()
      if RunningProgram.wait(for: [program]).isEmpty { continue }
      if let outcome = program.readMore() { return outcome }
    }
  }
}
