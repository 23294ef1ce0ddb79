import Migrations
import OutboxConversion
import StoreProof

/// A session of the tool as a text: what it shows, the commands, and what each of them printed.
///
/// ```
/// # A sentence that says what this shows.
///
/// $ outbox-migrate status store
/// Store   default.store …
/// [exit 4]
/// ```
///
/// `[exit 0]` is left out. Sentences may stand before any command.
struct Transcript: Hashable {
  /// A command and what it printed.
  struct Step: Hashable {
    /// The lines before the command, `#` and all.
    var comment: [String]

    /// The command, without `$ `.
    var command: String

    /// The lines that it printed, with the exit status after them if that isn't 0.
    var output: [String]

    fileprivate var endsEmpty: Bool { output.last == "" }
  }

  var steps: [Step]

  /// A Boolean value indicating whether the session needs the parser of Swift source.
  var needsParser: Bool { steps.contains { $0.command.contains("> Trips/Sources/") } }

  /// A Boolean value indicating whether the session needs SQLite's shell.
  var needsShell: Bool { steps.contains { $0.command.contains("make-store.sh") } }

  /// A Boolean value indicating whether the session has to run as a user whom permissions bind.
  var needsOrdinaryUser: Bool {
    steps.contains { $0.comment.contains("# (as a user who isn't root)") }
  }
}

extension Transcript {
  init(parsing text: String) {
    var steps: [Step] = []
    var comment: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("$ ") {
        steps.append(Step(comment: comment, command: String(line.dropFirst(2)), output: []))
        comment = []
      } else if line.hasPrefix("# "), !comment.isEmpty || steps.last.map(\.endsEmpty) ?? true {
        // A program may print a line like that, but never after an empty one.
        comment.append(line)
      } else if let last = steps.indices.last, comment.isEmpty {
        steps[last].output.append(line)
      }
    }
    for place in steps.indices {
      while steps[place].output.last == "" { steps[place].output.removeLast() }
    }
    self.steps = steps
  }

  /// The text of the file.
  var text: String {
    steps.map { step in
      let head = step.comment.isEmpty ? [] : step.comment + [""]
      return (head + ["$ " + step.command] + step.output).map { $0 + "\n" }.joined()
    }
    .joined(separator: "\n")
  }
}
