import Foundation
import TestSupport
import Testing
import Migrations
import StoreProof

@Suite struct TranscriptTests {
  /// The folder of the transcripts, in the sources.
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Transcripts")

  static let names: [String] = {
    let all = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    // To run one transcript while you work on it: OUTBOX_MIGRATE_TRANSCRIPT=fixtures
    let one = ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_TRANSCRIPT"]
    return (all ?? []).filter { $0.hasSuffix(".txt") && (one == nil || $0 == "\(one ?? "").txt") }
      .sorted()
  }()

  /// The examples of the documentation that have a transcript.
  static let examples = sessions(in: Session.examples)

  /// The guides of the documentation that have a transcript.
  static let guides = sessions(in: Session.guides)

  private static func sessions(in parent: String) -> [String] {
    let all = try? FileManager.default.contentsOfDirectory(atPath: parent)
    let one = ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_TRANSCRIPT"]
    return (all ?? []).filter {
      FileManager.default.fileExists(atPath: "\(parent)/\($0)/transcript.txt")
        && (one == nil || $0 == one)
    }
    .sorted()
  }

  @Test(arguments: names)
  func `a session prints what its transcript says`(name: String) throws {
    try check(Self.folder.appending(path: name), name: name)
  }

  @Test(arguments: examples)
  func `an example prints what its transcript says`(name: String) throws {
    let folder = URL(filePath: Session.examples).appending(path: name)
    try check(folder.appending(path: "transcript.txt"), name: name, in: folder.path)
  }

  @Test(arguments: guides)
  func `a guide prints what its transcript says`(name: String) throws {
    try check(
      URL(filePath: Session.guides).appending(path: name).appending(path: "transcript.txt"),
      name: name)
  }

  /// Runs a transcript, in a copy of a folder if there is one, and compares or records it.
  private func check(_ file: URL, name: String, in folder: String? = nil) throws {
    let programs = try #require(builtPrograms, "the program isn't beside the tests")
    let expected = try String(contentsOf: file, encoding: .utf8)
    let session = Session(
      transcript: Transcript(parsing: expected), programs: programs, folder: folder)
    guard let result = try session.run() else { return }
    if ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_RECORD"] == "1" {
      try result.text.write(to: file, atomically: true, encoding: .utf8)
      Issue.record(
        "recorded \(name); review the changes, then test without OUTBOX_MIGRATE_RECORD")
    } else {
      #expect(result.text == expected, "\(difference(expected, result.text))")
    }
  }

  @Test func `how often a run reports its progress doesn't matter`() {
    let progress = #"{"event":"progress","phase":"proving","rows":1,"left_ms":null}"# + "\n"
    let end = #"{"event":"end","rows":2}"# + "\n"
    #expect(Normalisation(directory: "/nowhere")(progress + progress + end) == end)
  }

  @Test func `there are sessions to run`() {
    #expect(
      Self.names.count > 10 && Self.examples.count >= 6 && Self.guides.count >= 2
        || ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_TRANSCRIPT"] != nil)
  }

  /// The first line that differs, with both versions of it.
  private func difference(_ expected: String, _ actual: String) -> String {
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let new = actual.split(separator: "\n", omittingEmptySubsequences: false)
    let place = zip(old, new).prefix { $0 == $1 }.count
    let (before, after) = (old.dropFirst(place).first ?? "", new.dropFirst(place).first ?? "")
    return "line \(place + 1):\n- \(before)\n+ \(after)"
  }
}
