import CommandLineKit

/// The kinds of words that the tool itself lists for completion scripts.
enum CompletionWords: String, CaseIterable, ArgumentValue {
  /// The apps of the catalog.
  case apps

  /// The versions of the app, or of the store, that the command line names; else of all apps.
  case versions

  /// Versions with their apps, such as `lume/V6`.
  case appVersions = "app-versions"

  /// The snapshots of the store that the command line names.
  case snapshots

  /// The entities of the store that the command line names, as the beginnings of rows.
  case rows

  /// The completion of a value that is one of these words.
  var completion: Completion { .lines(of: ["complete", rawValue], andFiles: false) }

  /// The completion of a value that is one of these words or a path.
  var completionOrFile: Completion { .lines(of: ["complete", rawValue], andFiles: true) }
}
