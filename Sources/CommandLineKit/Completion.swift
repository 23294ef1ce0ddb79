/// What a shell offers where a value is expected.
package enum Completion: Hashable, Sendable {
  /// Nothing.
  case none
  /// The names of files, and the directories on the way to them.
  case file
  /// The names of directories.
  case directory
  /// A list of words.
  case values([String])
}

/// A shell that a completion script can be written for.
package enum Shell: String, CaseIterable, Sendable, ArgumentValue {
  case bash
  case zsh
  case fish
}
