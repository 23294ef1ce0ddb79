import Foundation
import TestSupport
import StoreProof

/// Another program that is at work beside the tests: an app, as far as a store can tell.
final class Neighbour {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// The number of the process.
  var processID: Int32 { process.processIdentifier }

  /// Starts a program.
  init(_ words: [String]) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.start()
  }

  /// Starts SQLite's own program on a store.
  static func sqlite(_ store: String) throws -> Neighbour {
    try Neighbour(["sqlite3", store])
  }

  /// Writes a line, and reads until the program has written a word and the line's end.
  @discardableResult
  func say(_ line: String, until word: String = "ready") -> String {
    // An error ends the reading of a line.
    tell("\(line)\n.print \(word)")
    return hear(word)
  }

  /// Writes a line without waiting for anything.
  func tell(_ line: String) {
    input.fileHandleForWriting.write(Data("\(line)\n".utf8))
  }

  /// Reads until the program has written a word and the line's end.
  @discardableResult
  func hear(_ word: String) -> String {
    let end = Data("\(word)\n".utf8)
    var heard = Data()
    while heard.suffix(end.count) != end {
      guard let byte = try? output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
        break
      }
      heard += byte
    }
    return String(decoding: heard, as: UTF8.self)
  }

  /// Lets the program come to its end.
  func finish() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Ends the program as a crash does.
  func crash() {
    kill(processID, SIGKILL)
    process.waitUntilExit()
  }
}
