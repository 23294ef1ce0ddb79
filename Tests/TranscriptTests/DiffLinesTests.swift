import Foundation
import Platform
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import outbox_migrate
import Migrations
import OutboxConversion
import StoreProof
import TerminalOutput

/// The lines of `diff --json-lines`, read back.
@Suite struct DiffLinesTests {
  /// The output of a run.
  private final class Paper: Sendable {
    private let text = Mutex("")

    var content: String { text.withLock { $0 } }

    var sink: Sink {
      Sink(isTerminal: false, width: nil) { piece in self.text.withLock { $0 += piece } }
    }
  }

  private typealias Object = [String: Any]

  let folder: TemporaryDirectory
  let a: String
  let b: String

  init() throws {
    folder = try TemporaryDirectory()
    a = folder.path("a.store")
    b = folder.path("b.store")
    #expect(run("fixture", "create", "lume", "V6", a, "--rows", "30").status == 0)
    try FileSystem.copy(a, to: b)
    let connection = try Connection(path: b, mode: .readWrite)
    try connection.execute(
      """
      UPDATE ZSDMOODENTRY SET ZNOTES = ZSOURCEID, ZSOURCE = ZSOURCEID, ZVALENCE = ZVALENCE / 3;
      UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = '{"token":"hunter2","n":1}', ZSTATUS = ZEVENTTYPE;
      DELETE FROM ZSDGOAL;
      """)
  }

  private func run(_ words: String...) -> (output: String, status: Int32) {
    let paper = Paper()
    let terminal = Terminal(output: paper.sink, error: Paper().sink, forbidsColor: true)
    let status = OutboxMigrate.run(words, in: terminal)
    return (paper.content, status)
  }

  /// The lines of a run, each as an object.
  private func lines(_ output: String) throws -> [Object] {
    try output.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? Object)
    }
  }

  @Test func `there is a line for each row that differs, and the counts come last`() throws {
    let answer = run("diff", a, b, "--json-lines")
    let lines = try lines(answer.output)
    #expect(answer.status == 2)
    let last = try #require(lines.last)
    #expect(last["format_version"] as? Int == 1)
    #expect(last["equal"] as? Bool == false)
    for entity in try #require(last["entities"] as? [Object]) {
      let name = entity["name"] as? String
      let rows = lines.filter { $0["entity"] as? String == name }
      func count(_ kind: String) -> Int { rows.count { $0["kind"] as? String == kind } }
      #expect(entity["rows_only_in_a"] as? Int == count("only-in-a"))
      #expect(entity["rows_only_in_b"] as? Int == count("only-in-b"))
      #expect(entity["rows_changed"] as? Int == count("changed"))
      let changed = rows.filter { $0["kind"] as? String == "changed" }
      let cells = changed.map { ($0["cells"] as? [Object])?.count ?? 0 }
      #expect(entity["cells_changed"] as? Int == cells.reduce(0, +))
    }
    // The document of `--json` is the same as the last line.
    let document = run("diff", a, b, "--json").output
    let object = try JSONSerialization.jsonObject(with: Data(document.utf8)) as? NSDictionary
    #expect(object == last as NSDictionary)
  }

  @Test func `no value appears in any line`() throws {
    let cells = try lines(run("diff", a, b, "--json-lines").output)
      .flatMap { $0["cells"] as? [Object] ?? [] }
    #expect(cells.count > 50)
    let kinds: Set = ["null", "integer", "real", "text", "blob"]
    for content in cells.flatMap({ [$0["before"], $0["after"]] }).compactMap({ $0 as? Object }) {
      #expect(Set(content.keys) == ["kind", "bytes", "mark"])
      let kind = try #require(content["kind"] as? String)
      #expect(kinds.contains(kind))
      if let mark = content["mark"] as? String {
        #expect(mark.wholeMatch(of: /[0-9a-f]{8}/) != nil)
      } else {
        #expect(kind == "null")
      }
    }
  }

  @Test func `equal values have equal fingerprints, in every run`() throws {
    func marks() throws -> [[String]] {
      try lines(run("diff", a, b, "--json-lines").output)
        .filter { $0["entity"] as? String == "SDMoodEntry" }
        .map { row in
          let cells = (row["cells"] as? [Object] ?? [])
            .filter { ["notes", "source"].contains($0["name"] as? String) }
          return cells.compactMap { ($0["after"] as? Object)?["mark"] as? String }
        }
        .filter { $0.count == 2 }
    }
    let (first, second) = (try marks(), try marks())
    #expect(!first.isEmpty)
    #expect(first.allSatisfy { $0[0] == $0[1] })
    #expect(first == second)
  }

  @Test func `an event's entity has the same fingerprint in the list as in a comparison`() throws {
    let c = folder.path("c.store")
    let d = folder.path("d.store")
    #expect(run("fixture", "create", "lume", "V7", c, "--rows", "5").status == 0)
    try FileSystem.copy(c, to: d)
    try Connection(path: d, mode: .readWrite).execute("DELETE FROM ZSDOUTBOXEVENT")
    let list = run("outbox", "list", c, "--json").output
    let listed = try JSONSerialization.jsonObject(with: Data(list.utf8)) as? Object
    let entities = (listed?["rows"] as? [Object] ?? []).map { $0["entity"] as? String }
    let compared = try lines(run("diff", c, d, "--json-lines").output)
      .flatMap { $0["cells"] as? [Object] ?? [] }
      .filter { $0["name"] as? String == "entityID" }
      .map { (($0["before"] as? Object)?["mark"] as? String).map { "#" + $0 } }
    #expect(entities.count == 5)
    #expect(entities == compared)
  }

  @Test func `values that are asked for come without secrets`() throws {
    let answer = run("diff", a, b, "--json-lines", "--show-values")
    #expect(!answer.output.contains("hunter2"))
    let payload = try #require(
      lines(answer.output).filter { $0["entity"] as? String == "SDOutboxEvent" }
        .flatMap { $0["cells"] as? [Object] ?? [] }
        .first { $0["name"] as? String == "payload" }?["after"] as? Object)
    #expect(payload["value"] as? String == #"{"token":"secret","n":1}"#)
  }
}
