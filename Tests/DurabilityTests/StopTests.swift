import Foundation
import Platform
import SQLite
import TestSupport
import Testing

/// A run that a stop signal ends leaves the old store or the new one, and nothing else.
@Suite struct StopTests {
  private static let apply = ["apply", "default.store", "--user-id", "u"]
  private static let rollback = ["rollback", "default.store"]
  private static let again = apply + ["--rows", "deliverable"]
  private static let merge = ["rollback", "default.store", "--keep-changes"]
  private static let moments = rounds(2, torture: 200)
  private static let rows = isTorture ? 3_000 : 600

  /// How a run ended.
  private struct Ending {
    let status: Int32
    let message: String
  }

  private func tool() throws -> String { try #require(Programs.tool) }

  /// Creates a folder with a store, after some commands.
  private func folder(rows: Int = rows, after commands: [String]...) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    let create = ["fixture", "create", "lume", "V6", "default.store", "--rows", "\(rows)"]
    for words in [create] + commands {
      #expect(try Programs.run([tool()] + words, in: folder.path).status == 0)
    }
    return folder
  }

  /// Returns whether a process has a handler for a signal: before that, it would be killed.
  private static func notes(_ signal: StopSignal, _ process: Int32) -> Bool {
    #if os(Linux)
      let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
      guard let caught = line?.split(separator: "\t").last.flatMap({ UInt64($0, radix: 16) }) else {
        return false
      }
      return caught >> UInt64(signal.rawValue - 1) & 1 == 1
    #else
      pause(for: .milliseconds(200))
      return true
    #endif
  }

  /// Starts a run, sends it a signal a while after it can note it, and waits for its end.
  private func run(
    _ words: [String], in folder: TemporaryDirectory, stoppedBy signal: StopSignal,
    after delay: Duration
  ) throws -> Ending {
    let process = Process()
    process.executableURL = URL(filePath: try tool())
    process.arguments = words
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let message = Pipe()
    process.standardError = message
    try process.start()
    while process.isRunning, !Self.notes(signal, process.processIdentifier) {
      pause(for: .milliseconds(1))
    }
    pause(for: delay)
    kill(process.processIdentifier, signal.rawValue)
    let text = String(
      decoding: message.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    return Ending(status: process.terminationStatus, message: text)
  }

  /// The names in a folder; those of snapshots without the time.
  private func names(in folder: TemporaryDirectory) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).map {
      $0.replacing(/-\d{8}T\d{6}Z(-\d+)?/, with: "")
    }.sorted()
  }

  private func bytes(_ folder: TemporaryDirectory) throws -> [UInt8] {
    try sha256(ofFile: folder.path("default.store"))
  }

  @Test(arguments: StopSignal.allCases, [apply, rollback, merge, again])
  func `a stopped run leaves the old store or the new one`(
    signal: StopSignal, command: [String]
  ) throws {
    var random = SeededGenerator(seed: printedSeed("\(signal) \(command[0])"))
    let before =
      command == Self.apply ? try folder() : try folder(after: Self.apply)
    if command == Self.merge {
      let connection = try Connection(path: before.path("default.store"), mode: .readWrite)
      try connection.execute("UPDATE ZSDOUTBOXEVENT SET ZPRIORITY = 7 WHERE Z_PK < 500")
    }
    let (oldNames, oldBytes) = (try names(in: before), try bytes(before))
    let after = try TemporaryDirectory()
    func copy(_ folder: TemporaryDirectory) throws {
      #expect(try Programs.run(["cp", "-a", before.path + "/.", folder.path]).status == 0)
    }
    try copy(after)
    let start = ContinuousClock.now
    #expect(try Programs.run([tool()] + command, in: after.path).status == 0)
    let duration = ContinuousClock.now - start
    let newNames = try names(in: after)
    for _ in 0..<Self.moments {
      let folder = try TemporaryDirectory()
      try copy(folder)
      let delay = duration * Double.random(in: 0...1.1, using: &random)
      let ending = try run(command, in: folder, stoppedBy: signal, after: delay)
      let note = "\(delay) \(ending)"
      // Documented rows that came back are in another copy of the same file.
      let isOld = try bytes(folder) == oldBytes
      #expect(try names(in: folder) == (isOld ? oldNames : newNames), "\(note)")
      if isOld {
        #expect(ending.status == signal.exitStatus, "\(note)")
        #expect(ending.message.hasPrefix("Stopped: 'default.store' is unchanged"), "\(note)")
      } else {
        #expect(ending.status == signal.exitStatus || ending.status == 0, "\(note)")
        #expect(
          (ending.status == 0) == ending.message.isEmpty
            && ending.message.split(separator: "\n").count { $0.hasPrefix("Stopped: ") } <= 1,
          "\(note)")
        let difference = try Programs.run(
          [tool(), "diff", after.path("default.store"), folder.path("default.store")])
        #expect(difference.status == 0, "\(note) \(difference.output)")
      }
    }
  }

  @Test func `a run that is stopped while it reads its own files ends like any other`() throws {
    var random = SeededGenerator(seed: printedSeed("early"))
    let folder = try folder(rows: 10)
    let plan = ["plan", "default.store", "--user-id", "u"]
    for _ in 0..<rounds(20, torture: 400) {
      let delay = Duration.milliseconds(Double.random(in: 0...40, using: &random))
      let ending = try run(plan, in: folder, stoppedBy: .interrupt, after: delay)
      #expect(ending.status == 0 || ending.message.hasPrefix("Stopped: "), "\(delay) \(ending)")
    }
  }

  @Test(arguments: [
    ["plan", "default.store", "--user-id", "u"], ["verify", "default.store"],
    ["plan", "default.store", "--rows", "deliverable"],
  ])
  func `other commands stop, too`(command: [String]) throws {
    let folder = try folder(rows: 10_000)
    // SQLite creates an empty log where it finds no log.
    try FileManager.default.removeItem(atPath: folder.path("default.store-wal"))
    let (oldNames, oldBytes) = (try names(in: folder), try bytes(folder))
    let ending = try run(
      command, in: folder, stoppedBy: .interrupt, after: .milliseconds(20))
    #expect(ending.status == 130, "\(ending)")
    #expect(ending.message.hasPrefix("Stopped: 'default.store' is unchanged"), "\(ending)")
    #expect(try bytes(folder) == oldBytes && names(in: folder) == oldNames)
  }

  /// Stops a command at some moments up to its end, and checks how each run ended.
  private func stop(
    _ command: [String], in before: TemporaryDirectory,
    _ check: (Ending, TemporaryDirectory, String) throws -> Void
  ) throws {
    var random = SeededGenerator(seed: printedSeed(command.joined(separator: " ")))
    func copy() throws -> TemporaryDirectory {
      let folder = try TemporaryDirectory()
      #expect(try Programs.run(["cp", "-a", before.path + "/.", folder.path]).status == 0)
      return folder
    }
    let whole = try copy()
    let start = ContinuousClock.now
    #expect(try Programs.run([tool()] + command, in: whole.path).status == 0)
    let duration = ContinuousClock.now - start
    for _ in 0..<Self.moments {
      let folder = try copy()
      let delay = duration * Double.random(in: 0.5...1, using: &random)
      let ending = try run(command, in: folder, stoppedBy: .interrupt, after: delay)
      let note = "\(command) \(delay) \(ending)"
      #expect([0, 130].contains(ending.status), "\(note)")
      let sentences = ending.message.split(separator: "\n").count { $0.hasPrefix("Stopped: ") }
      #expect(sentences == (ending.status == 130 ? 1 : 0), "\(note)")
      try check(ending, folder, note)
    }
  }

  @Test func `a plan that is stopped says whether its file was written`() throws {
    let command = ["plan", "default.store", "--user-id", "u", "--out", "p.plan"]
    try stop(command, in: folder()) { ending, folder, note in
      let isWritten = FileManager.default.fileExists(atPath: folder.path("p.plan"))
      #expect(ending.message.contains("start over") == !isWritten || ending.status == 0, "\(note)")
      #expect(isWritten || ending.status == 130, "\(note)")
    }
  }

  @Test(arguments: [[], ["--record"]])
  func `a check of fixtures that is stopped says so`(options: [String]) throws {
    let folder = try TemporaryDirectory()
    let fixture = folder.path("one")
    try FileManager.default.createDirectory(atPath: fixture, withIntermediateDirectories: true)
    try Data("{\"user_id\": \"u\"}".utf8).write(to: URL(filePath: fixture + "/options.json"))
    let create = ["fixture", "create", "lume", "V6", fixture + "/default.store", "--rows", "300"]
    #expect(try Programs.run([tool()] + create).status == 0)
    let check = ["fixture", "check", "one"]
    let recorded = try Programs.run([tool()] + check + ["--record"], in: folder.path)
    #expect(recorded.status == 0, "\(recorded.message)")
    if !options.isEmpty { try FileManager.default.removeItem(atPath: fixture + "/expected.txt") }
    try stop(check + options, in: folder) { ending, folder, note in
      let isRecorded =
        FileManager.default.fileExists(atPath: folder.path("one/expected.txt")) && !options.isEmpty
      #expect(ending.message.contains("nothing was changed") ? !isRecorded : true, "\(note)")
      #expect(!FileManager.default.fileExists(atPath: folder.path("one/expected.txt.new")))
    }
  }

  @Test func `a fixture that isn't finished is removed`() throws {
    let folder = try TemporaryDirectory()
    let ending = try run(
      ["fixture", "create", "lume", "V6", "default.store", "--rows", "1000000"], in: folder,
      stoppedBy: .terminate, after: .milliseconds(200))
    #expect(ending.status == 143)
    #expect(ending.message.hasPrefix("Stopped: nothing was changed"), "\(ending)")
    #expect(try names(in: folder) == [])
  }

  @Test func `a run that waits for a lock stops`() throws {
    let folder = try folder(rows: 20)
    let connection = try Connection(path: folder.path("default.store"), mode: .readWrite)
    try connection.execute("BEGIN IMMEDIATE")
    let ending = try run(
      Self.apply + ["--lock-timeout", "1h"], in: folder, stoppedBy: .interrupt,
      after: .milliseconds(300))
    #expect(ending.status == 130)
    #expect(ending.message.hasPrefix("Stopped: 'default.store' is unchanged"), "\(ending)")
    try connection.execute("ROLLBACK")
  }

  @Test func `parallel runs stop together`() throws {
    let folder = try folder()
    let stores = ["a.store", "b.store", "c.store"]
    for store in stores {
      #expect(try Programs.run(["cp", "default.store", store], in: folder.path).status == 0)
    }
    let old = try names(in: folder)
    let ending = try run(
      ["apply", "--jobs", "2", "--user-id", "u"] + stores, in: folder, stoppedBy: .terminate,
      after: .milliseconds(100))
    #expect(ending.status == 143, "\(ending)")
    // A quick machine may have migrated a store before the signal; the two after it are stopped.
    let present = try names(in: folder)
    let open = stores.filter { !present.contains("\($0).snapshots") }
    #expect(!open.isEmpty)
    #expect(present.filter { !$0.contains(".snapshots") } == old)
    for store in open.prefix(2) {
      #expect(ending.message.contains("Stopped: \(store): '\(store)' is unchanged"), "\(ending)")
    }
  }
}
