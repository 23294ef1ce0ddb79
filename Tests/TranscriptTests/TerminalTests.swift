import Platform
import Synchronization
import Testing

@testable import outbox_migrate

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
    let error = Paper()
    let terminal = Terminal(
      output: Sink(isTerminal: false, width: nil) { _ throws(SystemError) in
        throw SystemError(code: 28, call: "write", path: "standard output")
      }, error: error.sink(isTerminal: false), forbidsColor: false)
    #expect(OutboxMigrate.run(["schema", "list"], in: terminal) == 74)
    #expect(error.content == "Error: write 'standard output': no space left on device\n")
  }
}
