import Foundation
import TestSupport
import OutboxConversion

/// The programs that the tests run.
enum Programs {
  /// The built tool, which lies beside the tests.
  static let tool = builtPrograms.map { $0 + "/outbox-migrate" }

  /// The command prefix that gives a program its own process table; empty if that isn't allowed.
  ///
  /// The tool inspects every process. Other processes come and go, so that without this prefix no
  /// two runs would make the same calls.
  static let alone: [String] = {
    let words = ["unshare", "--pid", "--fork", "--mount-proc"]
    return (try? run(words + ["true"]))?.status == 0 ? words : []
  }()

  /// A Boolean value indicating whether a program's calls can be seen and made to fail here.
  static let areTraced = (try? run(["strace", "-qq", "-o", "/dev/null", "true"]))?.status == 0

  /// How a run ended, and what it printed.
  struct Ending {
    /// The exit status; 128 if a signal ended the program.
    let status: Int32
    let output: String
    let message: String
  }

  /// Runs a program to its end.
  static func run(_ words: [String], in folder: String? = nil) throws -> Ending {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    process.standardInput = FileHandle.nullDevice
    let (output, message) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, message)
    try process.start()
    // The tool prints less on each than a pipe's buffer holds, so that neither read can block it.
    let texts = [output, message].map {
      String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    process.waitUntilExit()
    let status = process.terminationReason == .exit ? process.terminationStatus : 128
    return Ending(status: status, output: texts[0], message: texts[1])
  }
}
