package import Platform

/// Writes a text file line by line, without holding more of it than a buffer and a line.
package struct LineWriter: ~Copyable {
  private static let bufferSize = 1 << 16

  private let file: FileDescriptor
  private var buffer: [UInt8]

  /// Creates a file, readable for the owner alone, with its first line.
  package init(creating path: String, first line: String) throws(SystemError) {
    file = try FileDescriptor(creating: path)
    buffer = Array((line + "\n").utf8)
  }

  /// Adds a line, which has no end yet.
  package mutating func append(_ line: String) throws(SystemError) {
    buffer += line.utf8
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count > Self.bufferSize { try flush() }
  }

  /// Brings everything to the disk.
  package mutating func synchronize() throws(SystemError) {
    try flush()
    try file.synchronize()
  }

  private mutating func flush() throws(SystemError) {
    try file.write(buffer)
    // A long line leaves no room behind it.
    buffer = []
  }
}
