import CommandLineKit
import InputFiles
import OutboxStore
import Platform
import StoreFixtures
import StoreFormat
import StoreMigration
import StoreModel
import Migrations
import TerminalOutput

/// `fixture create`: creates a store with generated rows.
struct FixtureCreateCommand: Command, Reporting {
  static let name = "create"
  static let abstract = "Create a store of a schema version, with generated rows."
  static let discussion = """
    Equal arguments produce equal rows. The number of outbox rows determines the number of rows \
    of the other entities.

      outbox-migrate fixture create lume V6 default.store --rows 1000
    """

  static let app = Argument<String>(
    "app", help: "The app, such as lume; or a schema file or model, without a version after it.",
    completion: CompletionWords.apps.completion)
  static let version = Argument<String>(
    "version", help: "The version or edition, such as V6.",
    completion: CompletionWords.versions.completion)
  static let path = Argument<String?>(
    "path", help: "The path of the new store; no file may exist there.", completion: .file)
  static let rows = Option(
    "--rows", valueName: "n", default: FixtureOptions().rows, in: 0...100_000_000,
    help: "The number of outbox rows.")
  static let seed = Option(
    "--seed", valueName: "n", default: FixtureOptions().seed,
    help: "The seed of the generated values.")
  static let users = Option(
    "--users", valueName: "n", default: FixtureOptions().userCount, in: 0...1_000_000,
    help: "The number of users that the rows belong to.")
  static let cloudKit = Flag(
    "--cloudkit", help: "Create a store that mirrors to CloudKit, as far as its tables are known.")
  static var parameters: [any Parameter] {
    [app, version, path, rows, seed, users, cloudKit, GlobalOptions.progress]
  }

  let globals: GlobalOptions
  /// The app and the version as typed; the app is the path of a model if there is no version.
  let app: String
  let version: String?
  let path: String
  let options: FixtureOptions

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true)
    app = input[Self.app]
    version = input[Self.path] == nil ? nil : input[Self.version]
    path = input[Self.path] ?? input[Self.version]
    options = FixtureOptions(
      rows: input[Self.rows], seed: input[Self.seed], userCount: input[Self.users],
      hasLostPayloads: false, isMirrored: input[Self.cloudKit])
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let catalog = try Catalog(folder: globals.migrations)
    let version =
      try version.map { name throws(UsageError) in try catalog.version(name, ofApp: app) }
      ?? catalog.version(app)
    let globals = globals.naming([version])
    let display = globals.display(
      of: [path], .fixtureCreate, rows: Int64(options.rows), in: terminal)
    do {
      try display.showing { () throws(FixtureError) in
        try createFixture(
          app: version.app, version: version.name, model: version.model, at: path,
          options: options, progress: display.note)
      }
    } catch {
      throw Failure(error)
    }
    try createLog()
    let report = CreatedFixture(
      path: path, version: version, options: options,
      allRows: version.model[OutboxTable.entity] == nil ? try count(catalog) : nil)
    return try terminal.print(report, globals)
  }

  /// Returns the number of the store's rows.
  private func count(_ catalog: Catalog) throws(Failure) -> Int64 {
    do {
      return try StoreMigrator(catalog: catalog).status(of: path).entities
        .reduce(0) { $0 + ($1.rows ?? 0) }
    } catch {
      throw Failure(error)
    }
  }

  /// Creates an empty log, as Apple's systems leave one: a store without it looks incomplete.
  private func createLog() throws(Failure) {
    do {
      _ = try FileDescriptor(creating: StoreFiles(path: path).wal, mode: 0o644)
    } catch {
      throw Failure(.inaccessible(error))
    }
  }
}
