import Foundation
import TestSupport
import Testing

@testable import outbox_migrate
import TerminalOutput

/// Long work shows how far it is.
@Suite struct ProgressTests {
  /// Runs the tool on a pseudo-terminal, and returns what it prints.
  private static let onTerminal = """
    import os, pty, sys
    pid, end = pty.fork()
    if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
    while True:
      try: text = os.read(end, 65536)
      except OSError: break
      if not text: break
      os.write(1, text)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    """

  private let tool: String
  private let folder: TemporaryDirectory

  init() throws {
    tool = try #require(builtPrograms) + "/outbox-migrate"
    folder = try TemporaryDirectory()
  }

  private func run(
    _ words: [String], in environment: [String: String] = [:], onTerminal: Bool = false,
    status expected: Int32 = 0
  ) throws -> String {
    // The tests themselves may run without colours.
    let environment = ProcessInfo.processInfo.environment.merging(["NO_COLOR": ""]) { $1 }
      .merging(environment) { $1 }
    let prefix = onTerminal ? ["/usr/bin/env", "python3", "-c", Self.onTerminal, tool] : [tool]
    let (status, text) = try runToEnd(
      prefix + words, in: folder.path, environment: environment)
    #expect(status == expected, "\(text)")
    return text
  }

  private func createStore(rows: Int, at version: String = "V6") throws {
    _ = try run(["fixture", "create", "lume", version, "default.store", "--rows", "\(rows)"])
  }

  private func events(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").filter { $0.hasPrefix(#"{"event""#) }.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test func `a terminal shows a bar after a second, and erases it`() throws {
    let create = try run(
      ["fixture", "create", "lume", "V6", "default.store", "--rows", "40000"], onTerminal: true)
    #expect(create.contains(/Creating \[=* *\] \d+ %, [\d,]+ of 40,000 rows, [\d.]+ m?s left/))
    let text = try run(["apply", "default.store", "--user-id", "u"], onTerminal: true)
    #expect(text.contains(/(Writing|Proving) \[=* *\] \d+ %, [\d.]+ MB of [\d.]+ MB, [\d.]+ m?s/))
    let end = try #require(text.range(of: "\u{1b}[2K", options: .backwards)?.upperBound)
    #expect(text[end...].hasPrefix("Store ") && !text[end...].contains("left"))
    let plain = try run(["verify", "default.store"], in: ["NO_COLOR": "1"], onTerminal: true)
    #expect(!plain.contains("\u{1b}"))
    #expect(try !run(["verify", "default.store", "--json"], onTerminal: true).contains("\u{1b}"))
    #expect(try !run(["verify", "default.store"]).contains("\u{1b}"))
  }

  @Test(arguments: [
    "status", "plan", "apply", "verify", "rollback", "lint", "diff", "outbox verify",
    "outbox stats", "fixture create",
  ])
  func `events have rows, and a last one has the duration and the outcome`(
    command: String
  ) throws {
    try createStore(rows: 2_000, at: command.hasPrefix("outbox") ? "V7" : "V6")
    if command == "rollback" { _ = try run(["apply", "default.store", "--user-id", "u"]) }
    let words = command.split(separator: " ").map(String.init)
    let arguments =
      switch command {
      case "plan", "apply": ["default.store", "--user-id", "u"]
      case "diff": ["default.store", "default.store"]
      case "fixture create": ["lume", "V6", "other.store", "--rows", "2000"]
      default: ["default.store"]
      }
    let events = try events(
      // `lint` finds what the app's own migration would lose, `outbox verify` what is stuck.
      run(
        words + arguments + ["--progress"],
        status: command == "lint" ? 1 : command == "outbox verify" ? 6 : 0))
    let end = try #require(events.last)
    #expect(end["event"] as? String == "end" && end["outcome"] as? String == "done")
    #expect((end["duration_ms"] as? Int ?? 0) > 0 && end["left_ms"] as? Int == 0)
    let rows = try #require(end["of_rows"] as? Int)
    #expect(rows >= 2_000 && end["rows"] as? Int == rows)
    let counts = events.compactMap { $0["rows"] as? Int }
    #expect(counts == counts.sorted())
    let phases = events.filter { $0["event"] as? String == "phase" }.map { $0["phase"] as? String }
    #expect(phases == (command == "apply" ? ["writing", "proving", "exchanging"] : []))
  }

  @Test(arguments: [
    ["explain", "default.store", "SDOutboxEvent/12", "--rows", "deliverable"],
    ["snapshot", "list", "default.store", "--check"],
    ["snapshot", "prune", "default.store", "--keep", "1"],
  ])
  func `a search and a check of snapshots have events`(words: [String]) throws {
    try createStore(rows: 2_000)
    if words[0] == "snapshot" { _ = try run(["apply", "default.store", "--user-id", "u"]) }
    let end = try #require(try events(run(words + ["--progress"])).last)
    #expect(end["event"] as? String == "end" && end["left_ms"] as? Int == 0)
    #expect(end["phase"] as? String == (words[0] == "snapshot" ? "checking" : "reading"))
    #expect((end["of_rows"] as? Int ?? 0 > 2_000) == (words[0] == "explain"))
  }

  @Test(arguments: [["--jobs", "2"], ["--jobs", "2", "--json"], ["--max-duration", "1h"]])
  func `stores in processes of their own have the same events`(words: [String]) throws {
    try createStore(rows: 200)
    try FileManager.default.copyItem(
      atPath: folder.path("default.store"), toPath: folder.path("b.store"))
    let arguments = ["apply", "default.store", "b.store", "--user-id", "u", "--progress"]
    let events = try events(run(arguments + words))
    for store in ["default.store", "b.store"] {
      let names = events.filter { $0["store"] as? String == store }
        .compactMap { $0["event"] as? String }
      let migration = names.filter { $0.hasPrefix("schema_migration_") }
      #expect(migration == ["schema_migration_started", "schema_migration_completed"])
      #expect(names.last == "end" && names.count { $0 == "phase" } == 3)
    }
  }

  @Test func `a failed run says so in its last event`() throws {
    try createStore(rows: 20)
    let (status, text) = try runToEnd(
      [tool, "rollback", "default.store", "--progress"], in: folder.path,
      environment: ProcessInfo.processInfo.environment)
    #expect(status == 1)
    #expect(try events(text).last?["outcome"] as? String == "failed", "\(text)")
  }

  @Test(arguments: [
    WorkOutline.apply, .plan(isDeliverable: false, checksIntegrity: true), .verify, .lint, .edit,
  ])
  func `the done part grows from the beginning to just below the end`(outline: WorkOutline) {
    let parts = stride(from: 0, through: 30, by: 0.01).map { outline.part(done: $0) }
    #expect(parts.first == 0 && parts.last == 0.99 && parts == parts.sorted())
    #expect(zip(parts, parts.dropFirst()).allSatisfy { $1 - $0 < 0.05 })
  }
}
