import Foundation
import SQLite
import TestSupport
import Testing
import Migrations
import OutboxConversion

/// A run of a transcript's commands in a folder of its own, with the built program.
struct Session {
  let transcript: Transcript

  /// The folder that the program was built in.
  let programs: String

  /// The folder whose files the session begins with; nil if it begins with none.
  var folder: String?

  /// Runs every command and returns the transcript with what they printed this time.
  ///
  /// The result is nil, and a line says why, where the session can't run here.
  func run() throws -> Transcript? {
    let directory = try TemporaryDirectory()
    if transcript.needsShell, !FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3") {
      print("skipped: there is no '/usr/bin/sqlite3'")
      return nil
    }
    for file in try folder.map(FileManager.default.contentsOfDirectory) ?? [] {
      try FileManager.default.copyItem(
        atPath: "\(folder ?? "")/\(file)", toPath: directory.path(file))
    }
    let isLowered = transcript.needsOrdinaryUser && geteuid() == 0
    if isLowered, !canRunAsNobody(in: directory.path) {
      print("skipped: only root is here, and 'setpriv' can't run the program as another user")
      return nil
    }
    if transcript.needsParser, !FileManager.default.fileExists(atPath: programs + "/outbox-source")
    {
      print("skipped: there is no 'outbox-source' beside the tests; 'make' builds it")
      return nil
    }
    let reports = try SeenReports(of: programs)
    let normalise = Normalisation(directory: directory.path)
    var result = transcript
    for (place, step) in transcript.steps.enumerated() {
      let (status, text) = try run(step.command, in: directory.path, isLowered: isLowered, reports)
      var lines = normalise(text).split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
      while lines.last == "" { lines.removeLast() }
      result.steps[place].output = lines + (status == 0 ? [] : ["[exit \(status)]"])
    }
    for problem in try reports.problems() { Issue.record("\(problem)") }
    return result
  }

  private func run(
    _ command: String, in directory: String, isLowered: Bool, _ reports: SeenReports
  ) throws -> (status: Int32, text: String) {
    // `sql STORE STATEMENT` is a word of these sessions, so that no shell for SQLite has to be there.
    let words = command.split(separator: " ", maxSplits: 2).map(String.init)
    if words.count == 3, words[0] == "sql" {
      try change(store: "\(directory)/\(words[1])", by: words[2])
      return (0, "")
    }
    return try execute(
      ["/bin/sh", "-c", command], in: directory, prefix: isLowered ? Self.asNobody : [],
      path: reports.folder.path + ":")
  }

  private func change(store path: String, by statement: String) throws {
    let connection = try Connection(path: path, mode: .create)
    try connection.set(.defensive, to: false)
    // As Apple's systems do.
    try connection.set(.noCheckpointOnClose, to: true)
    try connection.execute(statement)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the examples that the documentation shows.
  static let examples = root.appending(path: "Documentation/Examples").path

  /// The folder of the guides, which are tasks from beginning to end.
  static let guides = root.appending(path: "Documentation/Guides").path

  /// The folder of fixtures.
  static let fixtures = root.appending(path: "Fixtures").path

  /// The files that the tutorial shows.
  private static let tutorial = root.appending(
    path: "Sources/StoreMigration/StoreMigration.docc/Resources"
  ).path

  private static let asNobody = [
    "/usr/bin/env", "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
  ]

  private func canRunAsNobody(in directory: String) -> Bool {
    chown(directory, 65534, 65534)
    let answer = try? execute(
      ["\(programs)/outbox-migrate", "--version"], in: directory, prefix: Self.asNobody)
    return answer?.status == 0
  }

  private func execute(
    _ words: [String], in directory: String, prefix: [String], path: String = ""
  ) throws -> (status: Int32, text: String) {
    try runToEnd(
      prefix + words, in: directory,
      environment: [
        "PATH": "\(path)\(programs):/usr/bin:/bin", "HOME": directory, "LC_ALL": "C", "TZ": "UTC",
        "EXAMPLES": Self.examples, "FIXTURES": Self.fixtures, "TUTORIAL": Self.tutorial,
      ])
  }
}
