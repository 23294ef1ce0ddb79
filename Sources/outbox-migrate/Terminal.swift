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
  let print: @Sendable (String) -> Void
}

extension Sink {
  /// The sink of one of the process's streams.
  ///
  /// When nobody reads any more, or the disk is full, the work still has to come to its end: what can't
  /// be printed is dropped, and the exit status still says how the work went.
  init(_ stream: StandardStream) {
    isTerminal = stream.isTerminal
    width = stream.isTerminal ? stream.terminalWidth : nil
    print = { text in try? stream.write(text) }
  }
}
