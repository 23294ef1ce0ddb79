package import JSONText
package import Platform

/// Reads a text file line by line, with one line and one buffer in memory.
package struct LineReader: ~Copyable {
  private static let bufferSize = 1 << 16

  private let file: FileDescriptor
  private var buffer: [UInt8] = []

  /// The index in the buffer where the next line begins.
  private var place = 0

  /// The offset in the file where the buffer ends.
  private var offset: Int64 = 0

  /// The number of the last line read, from 1.
  package private(set) var number = 0

  package init(_ file: consuming FileDescriptor) {
    self.file = file
  }

  /// Returns the next line without its line break; `nil` after the last.
  ///
  /// A line ends with LF or CR LF.
  ///
  /// - Throws: A `JSONError` if a line isn't UTF-8, or a `SystemError`.
  package mutating func next() throws -> String? {
    var line: [UInt8] = []
    var isThere = false
    while true {
      if place == buffer.count, try !fill() { break }
      isThere = true
      let end = buffer[place...].firstIndex(of: UInt8(ascii: "\n"))
      line += buffer[place..<(end ?? buffer.count)]
      place = end.map { $0 + 1 } ?? buffer.count
      if end != nil { break }
    }
    guard isThere else { return nil }
    number += 1
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard let text = String(validating: line, as: UTF8.self) else {
      throw JSONError(
        file: file.path, position: TextPosition(line: number, column: 1), reason: .invalidUTF8)
    }
    return text
  }

  /// Returns an error at a line, by default at the last line read.
  package func error(_ sentence: String, at line: Int? = nil) -> JSONError {
    JSONError(
      file: file.path, position: TextPosition(line: line ?? max(number, 1), column: 1),
      reason: .rejected(sentence))
  }

  private mutating func fill() throws(SystemError) -> Bool {
    buffer = try file.read(Self.bufferSize, at: offset)
    offset += Int64(buffer.count)
    place = 0
    return !buffer.isEmpty
  }
}
