import SafeText

/// The style of output: colours, and the options of suggested commands.
struct Style: Hashable, Sendable {
  /// The meaning of a colour.
  enum Tone: Int, Hashable, Sendable {
    case plain = 0
    case strong = 1
    case faint = 2
    case bad = 31
    case good = 32
    case changed = 33
  }

  /// A Boolean value indicating whether output has colours.
  let isColored: Bool

  /// The folder of migrations, which suggested commands need again.
  let migrations: String?

  /// The models of the store, which suggested commands need again.
  let model: [String]

  init(isColored: Bool = false, migrations: String? = nil, model: [String] = []) {
    self.isColored = isColored
    self.migrations = migrations
    self.model = model
  }

  /// Returns the style for commands that need a folder of migrations, which may not be given.
  func needingMigrations(_ isNeeded: Bool) -> Style {
    isNeeded ? Style(isColored: isColored, migrations: migrations ?? "DIR") : self
  }

  /// Returns a text in a colour.
  func callAsFunction(_ tone: Tone, _ text: String) -> String {
    isColored && tone != .plain ? "\u{1b}[\(tone.rawValue)m\(text)\u{1b}[0m" : text
  }

  /// Returns a command line of this tool, ready to copy into a shell.
  func command(_ words: [String]) -> String {
    let options =
      model.flatMap { ["--model", $0.shellPath] }
      + (migrations.map { ["--migrations", $0.shellPath] } ?? [])
    return self(.strong, (["outbox-migrate"] + words + options).joined(separator: " "))
  }
}
