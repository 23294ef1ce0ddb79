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
  /// The lines that the tool prints for a subcommand, with file names if they are allowed, too.
  ///
  /// The words of the command line follow the subcommand, after `--`. The tool mustn't fail.
  case lines(of: [String], andFiles: Bool)
}

/// A shell with a completion script.
package enum Shell: String, CaseIterable, Sendable, ArgumentValue {
  case bash
  case zsh
  case fish
}
