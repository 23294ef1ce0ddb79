import CommandLineKit
import JSONText
import Platform
import StoreMigration
package import Migrations

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// The program: the words of the command line, run on the process's own streams.
@main struct OutboxMigrate {
  static func main() {
    ignoreBrokenPipe()
    exit(run(Array(CommandLine.arguments.dropFirst()), in: .standard))
  }

  /// Runs the words of a command line, without the program's name, and returns the exit status.
  static func run(_ words: [String], in terminal: Terminal) -> Int32 {
    var isJSON = words.prefix { $0 != "--" }.contains("--json")
    do {
      switch try tool.request(words, width: terminal.helpWidth) {
      case .print(let text):
        try terminal.output.print(text)
        return StoreMigration.ExitStatus.done.rawValue
      case .run(let command, path: let path):
        isJSON = (command as? any Reporting)?.globals.json ?? isJSON
        return try run(command, path: path, in: terminal)
      }
    } catch let misuse as Misuse {
      terminal.complain(misuse.printableLines)
      return end(with: Failure(.misuse, misuse.error.description), isJSON, terminal)
    } catch {
      let failure = Failure(any: error)
      terminal.complain(failure.line)
      return end(with: failure, isJSON, terminal)
    }
  }

  private static func run(
    _ command: any Command<Terminal>, path: [String], in terminal: Terminal
  ) throws -> Int32 {
    do {
      return try command.run(in: terminal)
    } catch let error as UsageError {
      // Some mistakes show only when the command runs: a version that no catalog has.
      throw tool.misuse(error, at: path)
    }
  }

  /// Tells scripts of a failure that people have been told of, and returns the exit status.
  private static func end(with failure: Failure, _ isJSON: Bool, _ terminal: Terminal) -> Int32 {
    // Where the document can't be printed either, that has been said already.
    if isJSON { try? terminal.print(document: [.init("error", failure.json)]) }
    return failure.status.rawValue
  }
}
