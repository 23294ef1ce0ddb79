/// The style of output: colours, and the options of suggested commands.
package struct Style: Hashable, Sendable {
  /// The meaning of a colour.
  package enum Tone: Int, Hashable, Sendable {
    case plain = 0
    case strong = 1
    case faint = 2
    case bad = 31
    case good = 32
    case changed = 33
  }

  /// A Boolean value indicating whether output has colours.
  package let isColored: Bool

  /// The folder of migrations, which suggested commands need again.
  package let migrations: String?

  /// The models of the store, which suggested commands need again.
  package let model: [String]

  package init(isColored: Bool = false, migrations: String? = nil, model: [String] = []) {
    self.isColored = isColored
    self.migrations = migrations
    self.model = model
  }

  /// Returns the style for commands that need a folder of migrations, which may not be given.
  package func needingMigrations(_ isNeeded: Bool) -> Style {
    isNeeded ? Style(isColored: isColored, migrations: migrations ?? "DIR") : self
  }

  /// Returns a text in a colour.
  package func callAsFunction(_ tone: Tone, _ text: String) -> String {
    isColored && tone != .plain ? "\u{1b}[\(tone.rawValue)m\(text)\u{1b}[0m" : text
  }

  /// Returns a command line of this tool, ready to copy into a shell.
  package func command(_ words: [String]) -> String {
    let options =
      model.flatMap { ["--model", $0.shellPath] }
      + (migrations.map { ["--migrations", $0.shellPath] } ?? [])
    return self(.strong, (["outbox-migrate"] + words + options).joined(separator: " "))
  }
}
