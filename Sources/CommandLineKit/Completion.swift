/// The completions that a shell offers for a value.
package enum Completion: Hashable, Sendable {
  /// No completions.
  case none
  /// Names of files and directories.
  case file
  /// Names of directories.
  case directory
  /// A list of words.
  case values([String])
}

/// A shell with a completion script.
package enum Shell: String, CaseIterable, Sendable, ArgumentValue {
  case bash
  case zsh
  case fish
}
