import SafeText
import CommandLineKit
import TerminalOutput

/// A command that takes the global options.
protocol Reporting {
  var globals: GlobalOptions { get }
}

/// The options of every command.
struct GlobalOptions: Hashable, Sendable {
  static let migrations = Option<String?>(
    "--migrations", valueName: "dir",
    help: "A folder of schema and migration files that extend or replace the bundled ones.",
    completion: .directory)
  static let json = Flag("--json", help: "Print one JSON document on standard output.")
  static let noColor = Flag(
    "--no-color", help: "Print without colours and progress bar; NO_COLOR does the same.")
  static var parameters: [any Parameter] { [migrations, json, noColor] }

  /// The option of commands that recognise a store by the models of its app.
  static let model = Option<[String]>(
    "--model", valueName: "model",
    help:
      "The app's models, to recognise the store by: a schema file, .xcdatamodeld, .momd or Swift source.",
    completion: .file)

  /// The option of commands that take long on large stores.
  static let progress = Flag(
    "--progress", help: "Report progress as JSON lines on standard error.")

  /// The folder of migrations, as typed.
  var migrations: String?

  /// The paths of the models to recognise stores by, as typed.
  let model: [String]

  /// A Boolean value indicating whether the report is a JSON document.
  let json: Bool

  /// A Boolean value indicating whether colours are off.
  let noColor: Bool

  /// A Boolean value indicating whether to report progress.
  let progress: Bool

  /// The models that the command uses and that aren't from schema files or stores.
  var models: [SourcedModel] = []

  init(
    _ input: borrowing Input, printingJSON: Bool = false, takingLong: Bool = false,
    takingModel: Bool = false
  ) {
    migrations = input[Self.migrations]
    model = takingModel ? input[Self.model] : []
    json = input[Self.json] || printingJSON
    noColor = input[Self.noColor]
    progress = takingLong && input[Self.progress]
  }
}

extension Style {
  /// Creates the style that a terminal supports and that the options allow.
  init(_ terminal: Terminal, _ globals: GlobalOptions) {
    self.init(
      isColored: terminal.output.isTerminal && !terminal.forbidsColor && !globals.noColor,
      migrations: globals.migrations, model: globals.model)
  }
}
