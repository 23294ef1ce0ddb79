import Synchronization
import Testing
import TestSupport

@testable import outbox_migrate
import OutboxConversion
import StoreProof
import TerminalOutput

/// The result of a command run in this process, so that its crash is a crash of the tests.
struct Answer {
  let words: [String]
  let status: Int32
  let output: String
  let error: String

  /// Describes what is wrong with the result; `nil` if nothing is.
  ///
  /// The only exit statuses of a command on a damaged store are those of success, an unusable
  /// store, a failed verification, and an I/O error.
  func problem(allowing others: Set<Int32> = []) -> String? {
    let command = words.joined(separator: " ")
    guard others.union([0, 4, 6, 74]).contains(status) else {
      return "'\(command)' exits with \(status): \(error)"
    }
    let wrong = try? ReportCheck(words: words).problems(output: output, error: error)
    guard wrong == [] else { return "'\(command)' prints JSON against its schema: \(wrong ?? [])" }
    if error.contains("SQLite error") { return "'\(command)' speaks in codes: \(error)" }
    if status == 0 || !output.isEmpty || error.hasPrefix("Error: ") { return nil }
    return "'\(command)' exits with \(status) and doesn't say why"
  }
}

/// Runs the tool's words in this process.
func run(_ words: [String]) -> Answer {
  let (output, error) = (Paper(), Paper())
  let status = OutboxMigrate.run(
    words, in: Terminal(output: output.sink, error: error.sink, forbidsColor: true))
  return Answer(words: words, status: status, output: output.text, error: error.text)
}

/// Commands that only read a store: five random ones, or all in `make torture`.
func lookingCommands(at path: String) -> [[String]] {
  let all = everyLookingCommand(at: path)
  if isTorture { return all }
  var random = SeededGenerator(seed: printedSeed("five commands"))
  return Array(all.shuffled(using: &random).prefix(5))
}

/// Every command that only reads a store.
private func everyLookingCommand(at path: String) -> [[String]] {
  [
    ["status", path], ["status", path, "--json"], ["verify", path], ["verify", path, "--json"],
    ["verify", path, "--deliverable"], ["plan", path, "--user-id", "somebody"],
    ["plan", path, "--rows", "deliverable", "--format", "html"], ["diff", path, path],
    ["explain", path, "SDOutboxEvent/1"], ["row", path, "SDOutboxEvent", "--show-values"],
    ["row", path, "SDMoodEntry", "--where", "valence > 0 OR notes LIKE '%a%'"],
    ["diagnose", path], ["diagnose", path, "--app-version", "lume:V6", "--json"], ["lint", path],
    ["schema", "capture", path],
    ["schema", "diff", path, "lume/V7"], ["schema", "infer", path, "lume/V7"],
    ["quarantine", "list", path], ["snapshot", "list", path, "--check"],
    ["repair", path, "--dry-run"], ["repair", path, "--dry-run", "--json"],
  ]
}

/// The exit statuses by which a command reports that a sound store has nothing for it.
let nothingThere: [String: Set<Int32>] = [
  "quarantine": [1], "verify": [64], "plan": [64, 7], "schema": [2, 65], "explain": [64],
  "diff": [2], "lint": [1], "row": [64], "diagnose": [1, 66], "repair": [1, 7],
]

/// Keeps the printed text.
private final class Paper: Sendable {
  private let kept = Mutex("")

  var text: String { kept.withLock { $0 } }

  var sink: Sink {
    Sink(isTerminal: false, width: nil) { line in self.kept.withLock { $0 += line } }
  }
}
