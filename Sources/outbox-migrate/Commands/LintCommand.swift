import CommandLineKit
import InputFiles
import ModelSource
import Platform
import MigrationAuthoring
import StoreMigration
import Migrations
import StoreModel
import SwiftModels
import TerminalOutput

/// `lint`: finds problems in migrations before you run them.
struct LintCommand: Command, Reporting {
  static let name = "lint"
  static let abstract = "Find problems in migration files, or in an app's own migration of a store."
  static let discussion = """
    For a folder of migration files, it reports versions from which no migrations lead to the \
    newest version, steps that don't lead from one model to the other, steps without an inverse, \
    and files that were edited after they shipped (according to the folder's 'checksums'). \
    Without a path, it checks the bundled files and those of --migrations.

    With the path of a schema or migration file (.json), it checks that file alone. --cloudkit \
    adds what CloudKit doesn't allow in a model (unique constraints, relationships without \
    inverse, mandatory ones and attributes without default, deny rules, order) and between two \
    versions whose schema is in production (renamed or removed entities and properties, changed \
    types). A store that mirrors to CloudKit is always checked for the latter.

    For a store, it reports what the app's own lightweight migration to the newest version would \
    do to the rows, and what outbox-migrate does instead. For a store of an app that the tool \
    doesn't know, give the schema of the app's new version with --to.

    For a folder or file of Swift source, it checks the 'VersionedSchema's and the \
    'SchemaMigrationPlan': versions with one checksum, versions that list classes from outside, \
    former names of other properties, stages that Core Data would refuse, versions and stages \
    that are missing from the plan, and CloudKit's rules where a 'ModelConfiguration' names a \
    database. --stores adds versions that were changed after a store of them shipped.

      outbox-migrate lint Migrations
      outbox-migrate lint Sources --stores Shipped
      outbox-migrate lint default.store
      outbox-migrate lint V1.schema.json --to V2.schema.json --cloudkit

    Exits with 1 if there are errors. Notes don't affect the exit status.
    """

  static let paths = Argument<[String]>(
    "path", atLeast: 0,
    help: "A folder of migration files or Swift source, one such file, or a store's main file.",
    completion: .file)
  static let target = Option<[String]>(
    "--to", valueName: "version",
    help: "For a store: the version that the app migrates it to, or its schema file or model.",
    completion: .file)
  static let stores = Option<String?>(
    "--stores", valueName: "dir",
    help: "For Swift source: a folder with stores that the app shipped.", completion: .directory)
  static let cloudKit = Flag("--cloudkit", help: "Check what CloudKit allows, too.")
  static var parameters: [any Parameter] {
    [
      paths, target, stores, cloudKit, FindingFormat.option, GlobalOptions.model,
      GlobalOptions.progress,
    ]
  }

  let globals: GlobalOptions
  let paths: [String]
  let targets: [String]
  let stores: String?
  let checksCloudKit: Bool
  let format: FindingFormat

  init(_ input: borrowing Input) throws(UsageError) {
    format = try input.format(FindingFormat.option)
    globals = GlobalOptions(
      input, printingJSON: format == .json, takingLong: true, takingModel: true)
    paths = input[Self.paths]
    targets = input[Self.target]
    stores = input[Self.stores]
    checksCloudKit = input[Self.cloudKit]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let outcomes =
      try paths.isEmpty
      ? reported(globals.migrations) { () throws(Failure) in try ownFiles() }
      : paths.flatMap { path in
        try globals.display(of: [path], .lint, in: terminal).showing { () throws in
          try reported(path) { () throws(Failure) in [try outcome(of: path)] }
        }
      }
    if let stop = Failure.ofStopSignal() { throw stop }
    for outcome in outcomes {
      if case .failure(let failure) = outcome.result { terminal.printError(failure.line) }
    }
    let isChecked = outcomes.allSatisfy { $0.subject != nil }
    return try terminal.print(
      Linted(outcomes: outcomes, format: format), isChecked ? naming() : globals)
  }

  /// Returns the outcomes of some work; a report for other tools, or on several paths, has its failure.
  private func reported(
    _ path: String?, _ work: () throws(Failure) -> [LintOutcome]
  ) throws(Failure) -> [LintOutcome] {
    do {
      return try work()
    } catch {
      guard format == .sarif || format == .github || paths.count > 1 else { throw error }
      return [LintOutcome(path: path, result: .failure(error))]
    }
  }

  /// Returns the options with the models that the command used, which its stores may confirm.
  private func naming() throws(Failure) -> GlobalOptions {
    let stores = paths.filter { ModelPath($0) == nil }
    var versions: [ModelVersion] = []
    for path in paths where !stores.contains(path) && !path.hasSuffix(".json") {
      versions.append(ModelVersion(try SchemaFile(at: path)))
    }
    if targets.isEmpty, globals.model.isEmpty { return globals.naming(versions, stores: stores) }
    let catalog = try Catalog(globals)
    var request = MigrationRequest(targets: targets, userID: nil, rows: .documented)
    try request.readSchema(catalog)
    let target = request.schema.map { [ModelVersion($0)] } ?? []
    return globals.naming(catalog, target + versions, stores: stores)
  }

  /// Checks the bundled files, and those of `--migrations`.
  private func ownFiles() throws(Failure) -> [LintOutcome] {
    let bundled = MigrationFileSet.bundled
    var others = Catalog(versions: [], migrations: [])
    var outcomes: [LintOutcome] = []
    if let folder = globals.migrations {
      let files = try MigrationFileSet(in: folder)
      others = files.catalog
      outcomes = [outcome(of: files, besides: bundled.catalog)]
    }
    return [outcome(of: bundled, besides: others)] + outcomes
  }

  private func outcome(of path: String) throws(Failure) -> LintOutcome {
    if targets.isEmpty, ModelPath(path) == nil, let source = try SwiftSourcePath(path) {
      return try outcome(of: source)
    }
    guard stores == nil else {
      throw Failure(.misuse, "'--stores' needs Swift source, and '\(path)' has none")
    }
    let store = try storePath(path)
    if targets.isEmpty, ModelPath(path) == nil, store == path,
      (try? FileStatus(of: path).kind) == .directory
    {
      return outcome(
        of: try MigrationFileSet(in: path), besides: try Catalog(folder: globals.migrations))
    }
    let migrator = StoreMigrator(catalog: try Catalog(globals))
    var request = MigrationRequest(targets: targets, userID: nil, rows: .documented)
    try request.readSchema(migrator.catalog)
    if ModelPath(path) != nil { return try outcome(ofFile: path, request, migrator) }
    let path = store
    do throws(MigrationError) {
      let report = try migrator.lint(path, request, checksCloudKit: checksCloudKit)
      return LintOutcome(path: path, result: .success(.store(report)))
    } catch {
      return LintOutcome(path: path, result: .failure(Failure(error)))
    }
  }

  /// Checks the versions and migration plans in Swift source.
  private func outcome(of source: SwiftSourcePath) throws(Failure) -> LintOutcome {
    guard source.choice == .newest else {
      throw Failure(.misuse, "'lint' checks all versions in '\(source.path)'; leave out the '#'")
    }
    let shipped = try stores.map { folder throws(Failure) in
      try ShippedStore.all(in: folder, StoreMigrator(catalog: try Catalog(globals)))
    }
    let parsed = try source.parse()
    do throws(SourceError) {
      let findings = try parsed.lint(stores: shipped ?? [])
      return LintOutcome(
        path: source.path, result: .success(.source(count: source.files.count, findings)))
    } catch {
      throw Failure(.misuse, error.description)
    }
  }

  /// Checks one file; with `--to`, only what CloudKit allows between its version and the target.
  private func outcome(
    ofFile path: String, _ request: MigrationRequest, _ migrator: StoreMigrator
  ) throws(Failure) -> LintOutcome {
    guard request.target != nil else {
      let files = MigrationFileSet(folder: nil, [try Self.file(at: path)])
      let findings = StoreMigrator.lint(
        files, besides: migrator.catalog, checksCloudKit: checksCloudKit)
      // The text of a model is made here, so places in it mean nothing.
      let isText = path.hasSuffix(".json")
      return LintOutcome(
        path: path,
        result: .success(.files(count: 1, isText ? findings : findings.map { $0.placed(at: path) }))
      )
    }
    guard checksCloudKit else {
      throw Failure(.misuse, "'--to' with a schema file needs '--cloudkit'")
    }
    let version = ModelVersion(try SchemaFile(at: path))
    do throws(MigrationError) {
      let findings = try migrator.lintCloudKit(from: version, to: request)
      return LintOutcome(path: path, result: .success(.files(count: 1, findings)))
    } catch {
      throw Failure(error)
    }
  }

  /// Returns the store that a path means; the path itself if it is a folder of migration files.
  private func storePath(_ path: String) throws(Failure) -> String {
    let isFolder = (try? FileStatus(of: path).kind) == .directory
    if isFolder, let files = try? MigrationFolder(path: path).files(), !files.isEmpty {
      return path
    }
    do {
      return try StorePath(checking: path).path
    } catch {
      throw Failure(.misuse, error.description)
    }
  }

  /// Returns the text of a file; a model has the text of its schema file.
  private static func file(at path: String) throws(Failure) -> MigrationFileSet.File {
    guard path.hasSuffix(".json") else {
      return (path + ".schema.json", Array(try SchemaFile(at: path).text.utf8))
    }
    return (path, try bytes(of: path))
  }

  private static func bytes(of path: String) throws(Failure) -> [UInt8] {
    do {
      return try FileSystem.read(path)
    } catch {
      throw error.isNotFound
        ? Failure(.noStore, "there is no file '\(path)'; check the path")
        : Failure(.ioError, "\(error); check the file")
    }
  }

  private func outcome(of files: MigrationFileSet, besides others: Catalog) -> LintOutcome {
    LintOutcome(
      path: files.folder,
      result: .success(
        .files(
          count: files.count,
          StoreMigrator.lint(files, besides: others, checksCloudKit: checksCloudKit))))
  }
}

extension MigrationFileSet {
  /// Reads the files of a folder, with its checksums if it has a file of them.
  fileprivate init(in folder: String) throws(Failure) {
    self.init(folder: folder, try Self.files(in: folder))
    guard count > 0 else {
      throw Failure(
        .noStore, "there are no schema or migration files in '\(folder)'; check the path")
    }
  }

  private static func files(in folder: String) throws(Failure) -> [File] {
    do throws(SystemError) {
      let prefix = folder.hasSuffix("/") ? folder : folder + "/"
      let files = try MigrationFolder(path: folder).files()
        .map { (path: String($0.path.dropFirst(prefix.count)), bytes: $0.bytes) }
      let checksums = prefix + ChecksumFile.name
      guard try FileSystem.exists(checksums) else { return files }
      return try files + [(ChecksumFile.name, FileSystem.read(checksums))]
    } catch {
      throw error.isNotFound && (try? FileSystem.exists(folder)) != true
        ? Failure(.noStore, "there is no folder '\(folder)'; check the path")
        : Failure(.ioError, "\(error); check the folder")
    }
  }
}
