import CommandLineKit
package import Migrations

/// A command that takes the global options, as all do that report something.
protocol Reporting {
  var globals: GlobalOptions { get }
}

/// What can be given to every command.
struct GlobalOptions: Hashable, Sendable {
  static let migrations = Option<String?>(
    "--migrations", valueName: "dir",
    help: "A folder of schema and migration files that add to the bundled ones or replace them.",
    completion: .directory)
  static let json = Flag("--json", help: "Print one JSON document on standard output.")
  static let noColor = Flag("--no-color", help: "Print without colours; so does NO_COLOR.")
  static let progress = Flag(
    "--progress", help: "Tell how far 'apply' is, as JSON lines on standard error.")
  static var parameters: [any Parameter] { [migrations, json, noColor, progress] }

  /// The folder of migrations, as it was typed.
  var migrations: String?

  /// Whether the report is a JSON document.
  let json: Bool

  /// Whether colours are off.
  let noColor: Bool

  /// Whether to tell how far a command is.
  let progress: Bool

  init(_ input: borrowing Input, printingJSON: Bool = false) {
    migrations = input[Self.migrations]
    json = input[Self.json] || printingJSON
    noColor = input[Self.noColor]
    progress = input[Self.progress]
  }
}
