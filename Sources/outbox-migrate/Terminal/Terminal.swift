import Platform
import Processes

/// The two places that a command prints to, and whether to use colours.
///
/// The program passes the process's streams; tests pass their own sinks.
struct Terminal: Sendable {
  /// The sink of results.
  let output: Sink

  /// The sink of errors and progress.
  let error: Sink

  /// A Boolean value indicating whether the environment turns colours off.
  let forbidsColor: Bool

  /// The streams of the process.
  static var standard: Terminal {
    // Any value but the empty one counts, see <https://no-color.org>.
    Terminal(
      output: Sink(.output), error: Sink(.error),
      forbidsColor: environment("NO_COLOR").map { !$0.isEmpty } ?? false)
  }

  /// The number of columns that help is wrapped at.
  var helpWidth: Int { output.width.map { min($0, 100) } ?? 80 }
}

/// A destination of printed text.
struct Sink: Sendable {
  /// A Boolean value indicating whether this is a terminal.
  let isTerminal: Bool

  /// The number of columns; `nil` if this isn't a terminal.
  let width: Int?

  /// Prints a text; a broken pipe drops it, any other failure throws.
  ///
  /// A reader such as `head` may close the pipe early. The command still has to finish its work.
  let print: @Sendable (String) throws(SystemError) -> Void
}

extension Sink {
  /// Creates the sink of one of the process's streams.
  init(_ stream: StandardStream) {
    isTerminal = stream.isTerminal
    width = stream.isTerminal ? stream.terminalWidth : nil
    print = { text throws(SystemError) in
      do throws(SystemError) {
        try stream.write(text)
      } catch  where error.isBrokenPipe {}
    }
  }
}

extension Terminal {
  /// Prints to standard error; if that fails, only the exit status reports the error.
  func printError(_ text: String) {
    try? error.print(text)
  }
}
