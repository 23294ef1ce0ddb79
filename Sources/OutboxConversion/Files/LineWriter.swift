package import Platform

/// Writes a text file line by line, with one buffer and one line in memory.
package struct LineWriter: ~Copyable {
  private static let bufferSize = 1 << 16

  private let file: FileDescriptor
  private var buffer: [UInt8]

  /// Begins a file that was just created with its first line.
  package init(_ file: consuming FileDescriptor, first line: String) {
    self.file = file
    buffer = Array((line + "\n").utf8)
  }

  /// Appends a line, given without its line break.
  package mutating func append(_ line: String) throws(SystemError) {
    buffer += line.utf8
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count > Self.bufferSize { try flush() }
  }

  /// Writes the buffer, and waits until the file is on the disk.
  package mutating func synchronize() throws(SystemError) {
    try flush()
    try file.synchronize()
  }

  private mutating func flush() throws(SystemError) {
    try file.write(buffer)
    // Don't keep the capacity that a long line took.
    buffer = []
  }
}
