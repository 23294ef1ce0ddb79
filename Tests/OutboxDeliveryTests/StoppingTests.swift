import Foundation
import Platform
import Processes
import TestSupport
import Testing

@Suite(.ownThread) struct StoppingTests {
  /// A running delivery, and the files that its output goes to.
  private struct Delivery {
    let process: Process
    let folder: TemporaryDirectory

    /// Starts the main program.
    init(
      _ words: [String], in folder: TemporaryDirectory, environment: [String: String] = [:]
    ) throws {
      self.folder = folder
      process = Process()
      process.executableURL = URL(filePath: try #require(builtPrograms) + "/outbox-migrate")
      process.arguments = ["outbox", "deliver"] + words
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      for name in ["output", "error"] {
        try "".write(toFile: folder.path(name), atomically: true, encoding: .utf8)
      }
      process.standardOutput = FileHandle(forWritingAtPath: folder.path("output"))
      process.standardError = FileHandle(forWritingAtPath: folder.path("error"))
      try process.start()
    }

    func text(_ name: String) throws -> String {
      try String(contentsOfFile: folder.path(name), encoding: .utf8)
    }

    /// Waits without giving up the thread, which the processes don't need.
    func waitForEnd() {
      while process.isRunning { pause(for: .milliseconds(5)) }
    }
  }

  private func store(_ folder: TemporaryDirectory, rows: Int = 40) throws -> String {
    let path = folder.path("default.store")
    let program = try #require(builtPrograms) + "/outbox-migrate"
    let words = ["fixture", "create", "lume", "V7", path, "--rows", "\(rows)"]
    #expect(try Program.run(program, words).status == 0)
    return path
  }

  @Test(arguments: StopSignal.allCases)
  func `a stopped delivery puts back what is in progress, and can be continued`(
    signal: StopSignal
  ) throws {
    let folder = try TemporaryDirectory()
    let (store, gate) = (try store(folder), folder.path("gate"))
    try "3".write(toFile: gate, atomically: true, encoding: .utf8)
    let server = try LoopbackServer(["--gate", gate])
    let words = [store, "--base-url", server.address, "--json", "--wait", "1h"]
    let delivery = try Delivery(words, in: folder)
    // The server responds to three requests, so the delivery waits for it.
    while try server.requests().count < 5, delivery.process.isRunning {
      pause(for: .milliseconds(5))
    }
    let programs = try lockHolders(of: store).map(\.processID)
    kill(delivery.process.processIdentifier, signal.rawValue)
    delivery.waitForEnd()
    #expect(delivery.process.terminationReason == .exit)
    #expect(delivery.process.terminationStatus == signal.exitStatus)
    #expect(try lockHolders(of: store).isEmpty && !programs.isEmpty)
    let data = Data(try delivery.text("output").utf8)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let counts = ["delivered", "completed_without_sending", "pending", "failed"]
    #expect(object["stopped"] as? Bool == true && object["failed_attempts"] as? Int == 0)
    #expect(counts.reduce(0) { $0 + (object[$1] as? Int ?? 0) } == object["open"] as? Int)
    let stuck = try query(store, "SELECT 1 FROM ZSDOUTBOXEVENT WHERE ZSTATUS = 'processing'")
    #expect(stuck.isEmpty)

    try "1000000".write(toFile: gate, atomically: true, encoding: .utf8)
    let last = try Delivery([store, "--base-url", server.address], in: folder)
    last.waitForEnd()
    #expect(last.process.terminationStatus == 0)
    let requests = try server.requests()
    let first = requests.filter { !$0.repeated }
    #expect(Set(requests.map(\.key)).count == first.count)
  }

  @Test func `a new token that can't be saved is an error of a file`() throws {
    let folder = try TemporaryDirectory()
    let (token, gate) = (folder.path("token"), folder.path("gate"))
    try #"{"access_token": "t", "refresh_token": "refresh"}"#
      .write(toFile: token, atomically: true, encoding: .utf8)
    try "0".write(toFile: gate, atomically: true, encoding: .utf8)
    let server = try LoopbackServer(["--token", "t", "--expired", "--gate", gate])
    let delivery = try Delivery(
      [try store(folder), "--base-url", server.address, "--token-file", token], in: folder)
    while try server.requests().isEmpty, delivery.process.isRunning {
      pause(for: .milliseconds(5))
    }
    try FileManager.default.removeItem(atPath: token)
    try "1000000".write(toFile: gate, atomically: true, encoding: .utf8)
    delivery.waitForEnd()
    #expect(delivery.process.terminationStatus == 74)
    let text = try delivery.text("output")
    #expect(text.contains("the new token can't be saved") && text.contains("no events left"))
  }

  @Test func `progress is reported until the end`() throws {
    let folder = try TemporaryDirectory()
    let server = try LoopbackServer(["--delay", "0.1"])
    let delivery = try Delivery(
      [try store(folder), "--base-url", server.address, "--at-once", "1", "--progress"], in: folder)
    delivery.waitForEnd()
    #expect(delivery.process.terminationStatus == 0)
    let events = try delivery.text("error").split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(events.count > 1)
    #expect(events.dropLast().allSatisfy { $0["event"] as? String == "progress" })
    let end = try #require(events.last)
    #expect(end["event"] as? String == "end" && end["outcome"] as? String == "done")
    #expect((end["duration_ms"] as? Int ?? 0) > 0)
    let ended =
      try #require(end["delivered"] as? Int) + #require(end["completed_without_sending"] as? Int)
    #expect(ended == end["open"] as? Int && ended > 10)
    #expect(try !delivery.text("output").contains("event\""))
  }

  @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY", "https_proxy"])
  func `no proxy sees what goes to this machine`(variable: String) throws {
    let folder = try TemporaryDirectory()
    let (server, proxy) = (try LoopbackServer(), try LoopbackServer())
    let token = folder.path("token")
    try "s3cret".write(toFile: token, atomically: true, encoding: .utf8)
    let delivery = try Delivery(
      [try store(folder, rows: 6), "--base-url", server.address, "--token-file", token],
      in: folder, environment: [variable: proxy.address])
    delivery.waitForEnd()
    #expect(delivery.process.terminationStatus == 0)
    #expect(try proxy.requests().isEmpty && !server.requests().isEmpty)
  }

  @Test func `a proxy for HTTPS is asked for a tunnel, and sees no token`() throws {
    let folder = try TemporaryDirectory()
    let proxy = try LoopbackServer(["--fail", "1000", "--status", "403"])
    let token = folder.path("token")
    try "s3cret".write(toFile: token, atomically: true, encoding: .utf8)
    let words = ["--base-url", "https://example.invalid", "--token-file", token, "--wait", "0s"]
    let delivery = try Delivery(
      [try store(folder, rows: 6)] + words, in: folder,
      environment: ["https_proxy": proxy.address, "http_proxy": proxy.address])
    delivery.waitForEnd()
    #expect(delivery.process.terminationStatus == 1)
    let requests = try proxy.requests()
    #expect(!requests.isEmpty && requests.allSatisfy { $0.method == "CONNECT" })
    #expect(requests.allSatisfy { $0.token == nil && $0.key == "" })
  }
}
