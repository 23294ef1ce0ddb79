import CommandLineKit
import Platform
import StoreMigration

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The program: the words of the command line, run on the process's own streams.
@main struct OutboxMigrate {
  static func main() {
    ignoreBrokenPipe()
    exit(run(Array(CommandLine.arguments.dropFirst()), in: .standard))
  }

  /// Runs the words of a command line, without the program's name, and returns the exit status.
  static func run(_ words: [String], in terminal: Terminal) -> Int32 {
    do throws(Misuse) {
      switch try tool.request(words, width: terminal.helpWidth) {
      case .print(let text):
        terminal.output.print(text)
        return StoreMigration.ExitStatus.done.rawValue
      case .run(let command, path: let path):
        return try run(command, path: path, in: terminal)
      }
    } catch {
      terminal.error.print("\(error)\n")
      return Misuse.exitStatus
    }
  }

  private static func run(
    _ command: any Command<Terminal>, path: [String], in terminal: Terminal
  ) throws(Misuse) -> Int32 {
    do {
      return try command.run(in: terminal)
    } catch let error as UsageError {
      // Some mistakes show only when the command runs: a version that no catalog has.
      throw tool.misuse(error, at: path)
    } catch let failure as Failure {
      terminal.error.print(failure.line)
      return failure.status.rawValue
    } catch {
      preconditionFailure("a command throws a usage error or a failure, not \(error)")
    }
  }
}
