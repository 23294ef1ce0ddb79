package import Platform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A standard stream of the process.
package enum StandardStream: Int32, Hashable, Sendable {
  /// Standard input.
  case input = 0

  /// Standard output: the results.
  case output = 1

  /// Standard error: progress, warnings and errors.
  case error = 2
}

extension StandardStream {
  /// Whether the stream is connected to a terminal.
  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// The number of columns of the terminal, or `nil` if it isn't known.
  package var terminalWidth: Int? {
    var size = winsize()
    guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Reads up to the next NUL; returns `nil` at the end of the stream.
  ///
  /// Reads byte by byte, so nothing that follows is lost.
  func readWord() throws(SystemError) -> String? {
    var word: [UInt8] = []
    var byte: UInt8 = 0
    while try attempt("read", "standard input", { read(rawValue, &byte, 1) }) == 1 {
      if byte == 0 { return String(decoding: word, as: UTF8.self) }
      word.append(byte)
    }
    return nil
  }

  /// Writes bytes without buffering.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    let name =
      switch self {
      case .input: "standard input"
      case .output: "standard output"
      case .error: "standard error"
      }
    try writeAll(bytes.span, to: rawValue, path: name)
  }

  /// Writes a text without buffering.
  package func write(_ text: String) throws(SystemError) {
    try write(Array(text.utf8))
  }
}
