import Foundation
import TestSupport
import Migrations
import StoreProof

/// The server in `server.py`, in its own process.
final class LoopbackServer {
  /// A request that the server received.
  struct Request: Decodable {
    let method: String
    let path: String
    let key: String
    let repeated: Bool
    let token: String?
    let api_key: String?
    let status: Int

    /// The number of the connection that it came by.
    let connection: Int
  }

  let port: Int
  private let process = Process()
  private let folder: TemporaryDirectory

  var address: String { "http://127.0.0.1:\(port)" }

  /// Starts the server with options.
  init(_ options: [String] = []) throws {
    folder = try TemporaryDirectory()
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "server.py")
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", script.path, "--log", folder.path("log")] + options
    process.standardOutput = output
    try process.start()
    var line = Data()
    while line.last != 10 {
      let byte = output.fileHandleForReading.readData(ofLength: 1)
      if byte.isEmpty { break }
      line += byte
    }
    port = Int(String(decoding: line.dropLast(), as: UTF8.self)) ?? 0
  }

  // Don't wait for its end: that would run a loop on a thread that other tests need.
  deinit { kill(process.processIdentifier, SIGKILL) }

  /// The processor time so far; zero where the system has no `/proc`.
  var processorTime: Duration {
    let path = "/proc/\(process.processIdentifier)/stat"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return .zero }
    // Behind the program's name, in parentheses: the 12th and 13th fields, in ticks of 10 ms.
    let fields = text.split(separator: ")").last?.split(separator: " ").compactMap { Int($0) } ?? []
    return .milliseconds(fields.count > 11 ? 10 * (fields[10] + fields[11]) : 0)
  }

  /// The requests so far, with their lines.
  func log() throws -> [(request: Request, line: [String: Any])] {
    guard let text = try? String(contentsOfFile: folder.path("log"), encoding: .utf8) else {
      return []
    }
    return try text.split(separator: "\n").map { line in
      let data = Data(line.utf8)
      let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
      return (try JSONDecoder().decode(Request.self, from: data), object)
    }
  }

  func requests() throws -> [Request] { try log().map(\.request) }
}
