import StoreModel
import CommandLineKit
import StoreMigration
import Migrations
import SwiftModels

/// `schema capture`: writes the schema of a store to a file.
struct SchemaCaptureCommand: Command, Reporting {
  static let name = "capture"
  static let abstract = "Write the schema of a store to a file for 'apply --to'."
  static let discussion = """
    Open the new version of an app once in a simulator, and capture the store that it creates. \
    The captured schema is the exact target of a migration: it has everything that the app \
    compares when it opens a store.

      outbox-migrate schema capture new/default.store --out v8.schema.json
      outbox-migrate apply default.store --to v8.schema.json

    Or read the model from the app's Swift source: give a folder or a file with its '@Model' \
    classes. The schema is that of the newest 'VersionedSchema'; without one, that of all classes. \
    What the source doesn't determine is an error with file, line and column. Declarations whose \
    form in a store no real store has confirmed are warnings.

      outbox-migrate schema capture Sources --version-type AppSchemaV8 --out v8.schema.json
    """

  static let store = Argument<String>(
    "store", help: "The store's main file, or a folder or file of Swift source.", completion: .file)
  static let out = Option<String?>(
    "--out", "-o", valueName: "file", help: "The file to write; standard output by default.",
    completion: .file)
  static let app = Option<String?>(
    "--app", valueName: "name", help: "The app's name in the file; the recognised app by default."
  )
  static let version = Option<String?>(
    "--name", valueName: "version",
    help:
      "The version's name in the file; the recognised version by default, or NAME of NAME.schema.json."
  )
  static let versionType = Option<String?>(
    "--version-type", valueName: "type",
    help: "For Swift source: the 'VersionedSchema' to read; the newest by default.")
  static let classes = Option<String?>(
    "--models", valueName: "classes",
    help: "For Swift source: the classes to read, separated by commas.")
  static var parameters: [any Parameter] {
    [store, out, app, version, versionType, classes, GlobalOptions.model]
  }

  let globals: GlobalOptions
  let store: String
  let out: String?
  let app: String?
  let version: String?
  let versionType: String?
  let classes: [String]?

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingModel: true)
    store = input[Self.store]
    out = input[Self.out].flatMap { $0 == "-" ? nil : $0 }
    app = input[Self.app]
    version = input[Self.version]
    versionType = input[Self.versionType]
    classes = input[Self.classes]?.split(separator: ",").map(String.init)
  }

  func run(in terminal: Terminal) throws -> Int32 {
    if let source = SwiftSourcePath(store) { return try capture(source, in: terminal) }
    guard versionType == nil, classes == nil else {
      throw Failure(.misuse, "'\(store)' has no Swift source; check the path")
    }
    let migrator = StoreMigrator(catalog: try Catalog(globals))
    do {
      let schema = try migrator.capture(store, app: app, version: version, called: nameOfFile)
      let status = try terminal.write(schema.text, to: out)
      guard let out else { return status }
      return try terminal.print(CapturedSchema(schema: schema, path: out), globals)
    } catch let error as MigrationError {
      throw Failure(error)
    }
  }

  private func capture(_ source: SwiftSourcePath, in terminal: Terminal) throws -> Int32 {
    guard versionType == nil || classes == nil else {
      throw Failure(.misuse, "'--version-type' and '--models' exclude each other")
    }
    let choice =
      versionType.map(SourceChoice.version) ?? classes.map(SourceChoice.classes) ?? .newest
    var findings: [SourceFinding] = []
    defer { for finding in findings { terminal.printError(finding.line) } }
    let schema = try SchemaFile(
      source, choice, app: app, version: version ?? nameOfFile, findings: &findings)
    let status = try terminal.write(schema.text, to: out)
    guard let out else { return status }
    return try terminal.print(
      CapturedSchema(schema: schema, path: out, findings: findings), globals)
  }

  /// The name in `NAME.schema.json`, the file to write.
  private var nameOfFile: String? {
    let name = out.flatMap { $0.split(separator: "/").last } ?? ""
    let ending = ".schema.json"
    guard name.hasSuffix(ending), name.count > ending.count else { return nil }
    return String(name.dropLast(ending.count))
  }
}
