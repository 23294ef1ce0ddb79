package import JSONText
package import Platform

/// Prints JSON objects, one per line, in larger chunks.
package final class JSONLines {
  private let sink: Sink
  private var text = ""

  package init(_ sink: Sink) {
    self.sink = sink
  }

  /// Adds a line.
  package func add(_ value: JSONValue) throws(SystemError) {
    text += value.text() + "\n"
    if text.utf8.count >= 1 << 16 { try print() }
  }

  /// Adds the last line, with the format version, and prints the rest.
  package func finish(_ members: [JSONValue.Member]) throws(SystemError) {
    try add(.object([.init("format_version", 1)] + members))
    try print()
  }

  private func print() throws(SystemError) {
    let lines = text
    text = ""
    try sink.print(lines)
  }
}
