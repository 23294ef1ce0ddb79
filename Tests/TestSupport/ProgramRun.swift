import Foundation

/// Runs a program without standard input, and waits for its end.
///
/// - Parameters:
///   - words: The path of the program and its arguments.
///   - folder: The working directory.
///   - environment: The whole environment.
/// - Returns: The exit status, or 128 plus the number of the signal that ended it; and its output
///   on both streams, in order.
/// - Throws: An error from Foundation if the program can't be started.
package func runToEnd(
  _ words: [String], in folder: String, environment: [String: String]
) throws -> (status: Int32, text: String) {
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(filePath: words[0])
  process.arguments = Array(words.dropFirst())
  process.currentDirectoryURL = URL(filePath: folder)
  process.environment = environment
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = pipe
  process.standardError = pipe
  try process.start()
  let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  let status = process.terminationStatus
  return (
    process.terminationReason == .exit ? status : 128 + status,
    String(decoding: bytes, as: UTF8.self)
  )
}
