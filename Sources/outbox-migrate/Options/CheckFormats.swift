import CommandLineKit

/// The output format of `lint`.
enum FindingFormat: String, CaseIterable, ArgumentValue {
  case text, json, sarif, github

  static let option = Option(
    "--format", valueName: "format", default: FindingFormat.text,
    help:
      "The output format: 'sarif' for code scanning and editors, 'github' for the log of a workflow."
  )
}

/// The output format of `verify` and `fixture check`.
enum TestFormat: String, CaseIterable, ArgumentValue {
  case text, json, junit, github

  static let option = Option(
    "--format", valueName: "format", default: TestFormat.text,
    help:
      "The output format: 'junit' for CI servers that show tests, 'github' for the log of a workflow."
  )
}

extension Input {
  /// Returns an output format, if the global options allow it.
  ///
  /// - Throws: A `UsageError` if '--json' asks for another format.
  borrowing func format<Format: ArgumentValue>(
    _ option: Option<Format>
  ) throws(UsageError) -> Format {
    let format = self[option]
    if self[GlobalOptions.json], !["text", "json"].contains(format.argumentText) {
      throw .exclusive("--json", "--format \(format.argumentText)")
    }
    return format
  }
}
