import Platform
import Synchronization
import TestSupport
import Testing

@testable import outbox_migrate
import OutboxConversion
import StoreProof
import TerminalOutput

@Suite struct TerminalTests {
  /// What a run printed.
  private final class Paper: Sendable {
    private let text = Mutex("")

    var content: String { text.withLock { $0 } }

    func sink(isTerminal: Bool) -> Sink {
      Sink(isTerminal: isTerminal, width: nil) { line in self.text.withLock { $0 += line } }
    }
  }

  private func run(
    _ words: String..., onTerminal isTerminal: Bool, forbidsColor: Bool = false
  ) -> (output: String, error: String, status: Int32) {
    let (output, error) = (Paper(), Paper())
    let terminal = Terminal(
      output: output.sink(isTerminal: isTerminal), error: error.sink(isTerminal: isTerminal),
      forbidsColor: forbidsColor)
    let status = OutboxMigrate.run(words, in: terminal)
    return (output.content, error.content, status)
  }

  @Test func `colours are for people who want them`() {
    let colored = run("schema", "diff", "lume/V6", "lume/V7", onTerminal: true)
    #expect(colored.output.contains("\u{1b}["))
    for answer in [
      run("schema", "diff", "lume/V6", "lume/V7", onTerminal: false),
      run("schema", "diff", "lume/V6", "lume/V7", onTerminal: true, forbidsColor: true),
      run("schema", "diff", "lume/V6", "lume/V7", "--no-color", onTerminal: true),
      run("schema", "diff", "lume/V6", "lume/V7", "--json", onTerminal: true),
    ] {
      #expect(answer.status == 0)
      #expect(answer.output.contains("SDOutboxEvent.metadata"))
      #expect(!answer.output.contains("\u{1b}"))
    }
  }

  @Test func `errors go to their own stream`() {
    let answer = run("status", "/nowhere/default.store", onTerminal: false)
    #expect(answer.output == "")
    #expect(answer.error == "Error: there is no store '/nowhere/default.store'; check the path\n")
    #expect(answer.status == 66)
  }

  @Test func `a full disk behind standard output is an error`() {
    let answer = runWithoutRoom("schema", "list")
    #expect(answer.status == 74)
    #expect(answer.error == "Error: can't write 'standard output': no space left on device\n")
  }

  @Test func `what can't be told of is done all the same, to every store`() throws {
    let folder = try TemporaryDirectory()
    let paths = ["a.store", "b.store", "c.store"].map { "\(folder.path)/\($0)" }
    for (seed, path) in paths.enumerated() {
      let answer = runWithoutRoom(
        "fixture", "create", "lume", "V6", path, "--rows", "20", "--seed", "\(seed)")
      #expect(answer.status == 74 && answer.error.hasSuffix(Self.isDone), "\(answer.error)")
    }
    let apply = runWithoutRoom("apply", paths[0], paths[1], "--user-id", "u")
    #expect(apply.status == 74 && apply.error.hasSuffix(Self.isDone), "\(apply.error)")
    for (path, version) in zip(paths, ["V7", "V7", "V6"]) {
      let status = run("status", path, onTerminal: false)
      #expect(status.output.contains("Lume \(version), exact"), "\(status.output)")
    }
    let again = runWithoutRoom("apply", paths[0], paths[1], "--user-id", "u", "--json")
    #expect(again.status == 74 && !again.error.contains(Self.isDone), "\(again.error)")
    let back = runWithoutRoom("rollback", paths[0])
    #expect(back.status == 74 && back.error.hasSuffix(Self.isDone), "\(back.error)")
  }

  private static let isDone = "; the changes were made, only the report is missing\n"

  /// Runs words with no room for what is printed.
  private func runWithoutRoom(_ words: String...) -> (error: String, status: Int32) {
    let error = Paper()
    let terminal = Terminal(
      output: Sink(isTerminal: false, width: nil) { _ throws(SystemError) in
        throw SystemError(code: 28, call: "write", path: "standard output")
      }, error: error.sink(isTerminal: false), forbidsColor: false)
    let status = OutboxMigrate.run(words, in: terminal)
    return (error.content, status)
  }
}
