#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// One of the three files a process begins with.
package enum StandardStream: Int32, Hashable, Sendable {
  /// What the process reads.
  case input = 0

  /// The results.
  case output = 1

  /// Everything for people: progress, warnings, errors.
  case error = 2
}

extension StandardStream {
  /// A Boolean value indicating whether a person sits at the other end.
  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// The columns of the terminal, if this is one that knows.
  package var terminalWidth: Int? {
    var size = winsize()
    guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes bytes at once, without a buffer in between.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    let name =
      switch self {
      case .input: "standard input"
      case .output: "standard output"
      case .error: "standard error"
      }
    try writeAll(bytes.span, to: rawValue, path: name)
  }

  /// Writes a text at once, without a buffer in between.
  package func write(_ text: String) throws(SystemError) {
    try write(Array(text.utf8))
  }
}
