package import Platform
package import Processes

/// The two places that a command prints to, and whether to use colours.
///
/// The program passes the process's streams; tests pass their own sinks.
package struct Terminal: Sendable {
  /// The sink of results.
  package let output: Sink

  /// The sink of errors and progress.
  package let error: Sink

  /// A Boolean value indicating whether the environment turns colours off.
  package let forbidsColor: Bool

  package init(output: Sink, error: Sink, forbidsColor: Bool) {
    (self.output, self.error, self.forbidsColor) = (output, error, forbidsColor)
  }

  /// The streams of the process.
  package static var standard: Terminal {
    // Any value but the empty one counts, see <https://no-color.org>.
    Terminal(
      output: Sink(.output), error: Sink(.error),
      forbidsColor: environment("NO_COLOR").map { !$0.isEmpty } ?? false)
  }

  /// The number of columns that help is wrapped at.
  package var helpWidth: Int { output.width.map { min($0, 100) } ?? 80 }
}

/// A destination of printed text.
package struct Sink: Sendable {
  /// A Boolean value indicating whether this is a terminal.
  package let isTerminal: Bool

  /// The number of columns; `nil` if this isn't a terminal.
  package let width: Int?

  private let write: @Sendable (String) throws(SystemError) -> Void

  package init(
    isTerminal: Bool, width: Int?, write: @escaping @Sendable (String) throws(SystemError) -> Void
  ) {
    (self.isTerminal, self.width, self.write) = (isTerminal, width, write)
  }

  /// Prints a text; a broken pipe drops it, any other failure throws.
  ///
  /// A reader such as `head` may close the pipe early. The command still has to finish its work.
  package func print(_ text: String) throws(SystemError) { try write(text) }
}

extension Sink {
  /// Creates the sink of one of the process's streams.
  package init(_ stream: StandardStream) {
    let width = stream.isTerminal ? stream.terminalWidth : nil
    self.init(isTerminal: stream.isTerminal, width: width) { text throws(SystemError) in
      do throws(SystemError) {
        try stream.write(text)
      } catch  where error.isBrokenPipe {}
    }
  }
}

extension Terminal {
  /// Prints to standard error; if that fails, only the exit status reports the error.
  package func printError(_ text: String) {
    try? error.print(text)
  }
}
