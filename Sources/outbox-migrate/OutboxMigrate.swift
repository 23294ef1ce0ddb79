import InputFiles
import JSONText
import CommandLineKit
import Platform
import Processes
import StoreMigration
import TerminalOutput

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The entry point: runs the command line's words on the process's streams.
@main struct OutboxMigrate {
  static func main() {
    ignoreWriteSignals()
    StopSignal.note()
    ProcessSearch.use(.system)
    do {
      exit(run(try commandLineWords(), in: .standard))
    } catch {
      Terminal.standard.printError(Failure(.misuse, "\(error)").line)
      exit(ExitStatus.misuse.rawValue)
    }
  }

  /// Runs a command line, without the program's name, and returns the exit status.
  static func run(_ words: [String], in terminal: Terminal) -> Int32 {
    var isJSON = words.prefix { $0 != "--" }.contains("--json")
    do {
      switch try tool.request(words, width: terminal.helpWidth) {
      case .print(let text):
        try terminal.output.print(text)
        return ExitStatus.done.rawValue
      case .run(let command, path: let path):
        isJSON = (command as? any Reporting)?.globals.json ?? isJSON
        let status = try run(command, path: path, in: terminal)
        guard let signal = StopSignal.noted else { return status }
        // A command with another status hasn't said that it was stopped: it was complete.
        if status != signal.exitStatus {
          terminal.printError(Failure.lateLine("everything was done"))
        }
        return signal.exitStatus
      }
    } catch let misuse as Misuse {
      terminal.printError(misuse.printableLines)
      return end(with: Failure(.misuse, misuse.error.description), isJSON, terminal)
    } catch {
      // A command that was stopped may have said what it had done by then.
      let thrown = Failure(any: error)
      let isStop = StopSignal.noted.map { thrown.status == ExitStatus($0) } ?? false
      let failure = isStop ? thrown : Failure.ofStopSignal() ?? thrown
      terminal.printError(failure.line)
      return end(with: failure, isJSON, terminal)
    }
  }

  private static func run(
    _ command: any Command<Terminal>, path: [String], in terminal: Terminal
  ) throws -> Int32 {
    do {
      return try command.run(in: terminal)
    } catch let error as UsageError {
      // Some mistakes show only when the command runs, such as an unknown version.
      throw tool.misuse(error, at: path)
    }
  }

  /// Prints a failure as JSON if scripts read the output, and returns the exit status.
  private static func end(with failure: Failure, _ isJSON: Bool, _ terminal: Terminal) -> Int32 {
    // If standard output fails too, standard error already has the message.
    if isJSON { try? terminal.print(document: [.init("error", failure.json)]) }
    return failure.status.rawValue
  }
}
