import Foundation
import TestSupport

/// Runs a program on text from standard input and returns what it printed and its exit status.
///
/// Errors are printed to the same place. The result is nil where the program isn't installed.
func run(_ program: String, _ arguments: [String], input: String) throws -> (String, Int32)? {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
  let candidates = path.split(separator: ":").map { "\($0)/\(program)" }
  guard let file = candidates.first(where: FileManager.default.isExecutableFile) else {
    print("skipped: '\(program)' isn't installed")
    return nil
  }
  let process = Process()
  let (source, sink) = (Pipe(), Pipe())
  process.executableURL = URL(filePath: file)
  process.arguments = arguments
  process.standardInput = source
  process.standardOutput = sink
  process.standardError = sink
  try process.start()
  try source.fileHandleForWriting.write(contentsOf: Data(input.utf8))
  try source.fileHandleForWriting.close()
  let output = try sink.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return (String(decoding: output, as: UTF8.self), process.terminationStatus)
}

/// A directory with a file `a card`, a file `zebra` and a directory `box`, for as long as it lasts.
func withCards<Result>(_ body: (String) throws -> Result) throws -> Result {
  let directory = FileManager.default.temporaryDirectory.appending(path: "cards-\(UUID())")
  try FileManager.default.createDirectory(
    at: directory.appending(path: "box"), withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  for name in ["a card", "zebra"] {
    try Data().write(to: directory.appending(path: name))
  }
  return try body(directory.path(percentEncoded: false))
}
