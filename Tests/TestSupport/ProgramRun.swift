import Foundation

/// Runs a program to its end, with nothing to read.
///
/// - Parameters:
///   - words: The program's path and its arguments.
///   - folder: The folder that it starts in.
///   - environment: All of its environment.
/// - Returns: The exit status, or 128 and the number of the signal that ended it, and all that it printed on
///   either output, in order.
/// - Throws: An error of Foundation's if it can't be started.
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
