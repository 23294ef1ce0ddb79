import CommandLineKit
import InputFiles
import Migrations
import ModelSource
import Platform
import Processes
import SafeText
import StoreFormat
import StoreMigration
import StoreModel
import SwiftModels
import TerminalOutput

/// `schema capture`: writes the schema of a store, or of a model in source, to a file.
struct SchemaCaptureCommand: Command, Reporting {
  static let name = "capture"
  static let abstract = "Write the schema of a store or of a model to a file for 'apply --to'."
  static let discussion = """
    A model is an .xcdatamodeld of the app's sources, one .xcdatamodel of it, or a .momd or .mom \
    of a built app. In a bundle, '#NAME' is a version; without it, the current one counts. Several \
    models are united, as an app does that merges them.

      outbox-migrate schema capture App.xcdatamodeld --out v8.schema.json
      outbox-migrate apply default.store --to v8.schema.json

    With --against, the hashes that follow from the model are compared with those of a store that \
    the app wrote. If they are equal, the model is that of the store. For an entity that differs, \
    the tool names the changes to the model that would give the store's hash. Exits with 2 if the \
    model differs, and then writes no file. The hash of an entity with a derived attribute isn't \
    known: such a model is never confirmed, and the entity is compared with the store's model cache.

      outbox-migrate schema capture 'App.xcdatamodeld#App 7' --against default.store

    A store that the app's new version created, in a simulator, gives the exact target of a \
    migration as well: it has everything that the app compares when it opens a store.

    Or read the model from the app's Swift source: give a folder or a file with its '@Model' \
    classes. The schema is that of the newest 'VersionedSchema'; without one, that of all classes. \
    What the source doesn't determine is an error with file, line and column. Declarations whose \
    form in a store no real store has confirmed are warnings.

      outbox-migrate schema capture Sources --version-type AppSchemaV8 --out v8.schema.json
    """

  static let sources = Argument<[String]>(
    "store",
    help: "A store's main file, a folder that contains one store, a model, or Swift source.",
    completion: .file)
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
  static let against = Option<StorePath?>(
    "--against", valueName: "store", help: "A store to compare the model's hashes with.",
    completion: .file)
  static var parameters: [any Parameter] {
    [sources, out, app, version, versionType, classes, against, GlobalOptions.model]
  }

  let globals: GlobalOptions
  let sources: [String]
  let out: String?
  let app: String?
  let version: String?
  let against: String?
  let versionType: String?
  let classes: [String]?

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingModel: true)
    sources = input[Self.sources]
    out = input[Self.out].flatMap { $0 == "-" ? nil : $0 }
    app = input[Self.app]
    version = input[Self.version]
    versionType = input[Self.versionType]
    classes = input[Self.classes]?.split(separator: ",").map(String.init)
    against = input[Self.against]?.path
  }

  func run(in terminal: Terminal) throws -> Int32 {
    StopSignal.pauseNoting()
    let catalog = try Catalog(globals)
    var findings: [SourceFinding]?
    var unknown: [String]?
    defer { for finding in findings ?? [] { terminal.printError(finding.line) } }
    var schema = try schema(catalog, &findings)
    if against != nil { StopSignal.noteAgain() }
    let globals = globals.naming([ModelVersion(schema)], stores: [against].compactMap(\.self))
    if let against {
      let comparison = try comparison(of: schema.model, with: against, catalog)
      guard out != nil, !comparison.hasDifferences else {
        let report = ComparedModel(
          schema: schema, store: against, comparison: comparison, unwritten: out)
        return try terminal.print(report, globals)
      }
      unknown = comparison.unknown
      schema = schema.noted("\(schema.note ?? ""); \(comparison.verdict(on: against))")
    }
    let status = try terminal.write(schema.text, to: out)
    guard let out else {
      terminal.note(globals.models)
      return status
    }
    if let note = note(on: schema, at: out) { terminal.printError("Note: \(note)\n") }
    return try terminal.print(
      CapturedSchema(schema: schema, path: out, findings: findings, unknown: unknown), globals)
  }

  /// Returns a sentence about a version that no migration in the file's folder names; else `nil`.
  private func note(on schema: SchemaFile, at path: String) -> String? {
    let names = MigrationFolder(path: FileSystem.parent(of: path))
      .versionsOfMigrations(of: schema.app)
    guard !names.isEmpty, !names.contains(schema.version) else { return nil }
    return
      "no migration in the file's folder starts at '\(schema.version)' or leads to it, only at or to "
      .printable + names.map { "'\($0)'" }.joined(separator: ", ").printable
      + "; if it is one of these versions, capture it with that '--name'"
  }

  /// Returns the schema of the store, or the model of the sources, with the names for the file.
  private func schema(
    _ catalog: Catalog, _ findings: inout [SourceFinding]?
  ) throws -> SchemaFile {
    let isModel = sources.count > 1 || ModelPath(sources[0]) != nil
    if !isModel, let source = try SwiftSourcePath(sources[0]) {
      return try schema(of: source, &findings)
    }
    guard versionType == nil, classes == nil else {
      throw Failure(.misuse, "'\(sources[0])' has no Swift source; check the path")
    }
    if isModel {
      let schema = try SchemaFile(uniting: sources)
      return SchemaFile(
        app: app ?? schema.app, version: version ?? nameOfFile ?? schema.version,
        note: schema.origin.map { "from '\($0.path)'" } ?? schema.note, model: schema.model,
        capture: schema.capture, origin: schema.origin)
    }
    StopSignal.noteAgain()
    let store = try StorePath(checking: sources[0]).path
    do {
      return try StoreMigrator(catalog: catalog)
        .capture(store, app: app, version: version, called: nameOfFile)
    } catch {
      throw Failure(error)
    }
  }

  private func schema(
    of source: SwiftSourcePath, _ findings: inout [SourceFinding]?
  ) throws(Failure) -> SchemaFile {
    guard versionType == nil || classes == nil else {
      throw Failure(.misuse, "'--version-type' and '--models' exclude each other")
    }
    guard source.choice == .newest || (versionType == nil && classes == nil) else {
      throw Failure(.misuse, "'\(source.text)' names a version; leave out the option")
    }
    guard classes?.isEmpty != true else {
      throw Failure(.misuse, "'--models' has no name of a class")
    }
    let choice =
      versionType.map(SourceChoice.version) ?? classes.map(SourceChoice.classes) ?? source.choice
    var found: [SourceFinding] = []
    defer { findings = found }
    return try SchemaFile(
      source, try source.parse(), choice, app: app, version: version ?? nameOfFile, findings: &found
    )
  }

  /// Compares the hashes of a model with those in a store's metadata.
  private func comparison(
    of model: Model, with store: String, _ catalog: Catalog
  ) throws(Failure) -> HashComparison {
    do {
      let description = try StoreMigrator(catalog: catalog).inspection(of: store).store
      guard let hashes = description.metadata?.hashes, !hashes.entities.isEmpty else {
        throw Failure(.unknownStore, "the metadata of '\(store)' have no hashes to compare with")
      }
      return HashComparison(model, hashes, cached: description.cachedModel)
    } catch let error as MigrationError {
      throw Failure(error)
    } catch {
      throw Failure(any: error)
    }
  }

  /// The name in `NAME.schema.json`, the file to write.
  private var nameOfFile: String? {
    let name = out.flatMap { $0.split(separator: "/").last } ?? ""
    let ending = ".schema.json"
    guard name.hasSuffix(ending), name.count > ending.count else { return nil }
    return String(name.dropLast(ending.count))
  }
}

extension SchemaFile {
  /// Returns the schema with another remark.
  fileprivate func noted(_ note: String) -> SchemaFile {
    SchemaFile(
      app: app, version: version, note: note, model: model, capture: capture, origin: origin)
  }
}
