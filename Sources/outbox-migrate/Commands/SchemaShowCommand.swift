import CommandLineKit
import InputFiles
import Migrations
import Platform
import Processes
import StoreModel
import TerminalOutput

/// `schema show`: shows the entities of a version.
struct SchemaShowCommand: Command, Reporting {
  static let name = "show"
  static let abstract =
    "Show the entities of a version, with their attributes, defaults and hashes."

  static let app = Argument<String>(
    "app", help: "The app, such as lume; or the path of a schema file, a model or a store.",
    completion: CompletionWords.apps.completion)
  static let version = Argument<String?>(
    "version", help: "The app's version or edition, such as V6.",
    completion: CompletionWords.versions.completion)
  static let out = Option<String?>(
    "--out", "-o", valueName: "file", help: "Write the version's schema file instead.",
    completion: .file)
  static var parameters: [any Parameter] { [app, version, out] }

  let globals: GlobalOptions
  let app: String
  let version: String?
  let out: String?

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    app = input[Self.app]
    version = input[Self.version]
    out = input[Self.out].flatMap { $0 == "-" ? nil : $0 }
  }

  func run(in terminal: Terminal) throws -> Int32 {
    StopSignal.pauseNoting()
    let catalog = try Catalog(folder: globals.migrations)
    let version =
      try version.map { name throws(UsageError) in try catalog.version(name, ofApp: app) }
      ?? catalog.version(app)
    let schema = SchemaFile(version)
    let globals = globals.naming([version])
    if let out {
      terminal.note(globals.models)
      return try terminal.write(schema.text, to: out)
    }
    return try terminal.print(ShownSchema(schema: schema), globals)
  }
}
