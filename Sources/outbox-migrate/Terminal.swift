import Platform

/// Where a command prints, and what is known of who reads it.
///
/// Tests give sinks of their own; the program gives the process's streams.
struct Terminal: Sendable {
  /// The results.
  let output: Sink

  /// Everything for people that isn't a result.
  let error: Sink

  /// A Boolean value indicating whether the environment asks for no colours.
  let forbidsColor: Bool

  /// The streams of the process.
  static var standard: Terminal {
    // By <https://no-color.org>, any text but the empty one counts.
    Terminal(
      output: Sink(.output), error: Sink(.error),
      forbidsColor: environment("NO_COLOR").map { !$0.isEmpty } ?? false)
  }

  /// The columns that help is wrapped at.
  var helpWidth: Int { output.width.map { min($0, 100) } ?? 80 }
}

/// One place to print to.
struct Sink: Sendable {
  /// A Boolean value indicating whether a person reads along.
  let isTerminal: Bool

  /// The number of columns, where it has one.
  let width: Int?

  /// Takes a text.
  ///
  /// When nobody reads any more, as behind `head`, the text is dropped: the work still has to come to
  /// its end, and the exit status says how it went. A disk that is full is an error.
  let print: @Sendable (String) throws(SystemError) -> Void
}

extension Sink {
  /// The sink of one of the process's streams.
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
  /// Tells people of a failure; where even that can't be printed, the exit status has to do.
  func complain(_ text: String) {
    try? error.print(text)
  }
}
