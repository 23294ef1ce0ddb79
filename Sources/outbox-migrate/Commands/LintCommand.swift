import CommandLineKit
import Platform
import StoreMigration
import Migrations

/// `lint`: finds problems in migrations before you run them.
struct LintCommand: Command, Reporting {
  static let name = "lint"
  static let abstract = "Find problems in migration files, or in an app's own migration of a store."
  static let discussion = """
    For a folder of migration files, it reports versions from which no migrations lead to the \
    newest version, steps that don't lead from one model to the other, steps without an inverse, \
    and files that were edited after they shipped (according to the folder's 'checksums'). \
    Without a path, it checks the bundled files and those of --migrations.

    For a store, it reports what the app's own lightweight migration to the newest version would \
    do to the rows, and what outbox-migrate does instead. For a store of an app that the tool \
    doesn't know, give the schema of the app's new version with --to.

      outbox-migrate lint Migrations
      outbox-migrate lint default.store

    Exits with 1 if there are errors. Notes don't affect the exit status.
    """

  static let paths = Argument<[String]>(
    "path", atLeast: 0, help: "A folder of migration files, or a store's main file.",
    completion: .file)
  static let target = Option<String?>(
    "--to", valueName: "version",
    help: "For a store: the version that the app migrates it to, or a schema file of it.",
    completion: .file)
  static var parameters: [any Parameter] {
    [paths, target, GlobalOptions.model, GlobalOptions.progress]
  }

  let globals: GlobalOptions
  let paths: [String]
  let target: String?

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true, takingModel: true)
    paths = input[Self.paths]
    target = input[Self.target]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let outcomes =
      try paths.isEmpty
      ? ownFiles()
      : paths.map { path in
        try globals.display(of: [path], .lint, in: terminal).showing { () throws in
          try outcome(of: path)
        }
      }
    if let stop = Failure.ofStopSignal() { throw stop }
    for outcome in outcomes {
      if case .failure(let failure) = outcome.result { terminal.printError(failure.line) }
    }
    return try terminal.print(Linted(outcomes: outcomes), globals)
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
    if target == nil, (try? FileStatus(of: path).kind) == .directory {
      return outcome(
        of: try MigrationFileSet(in: path), besides: try Catalog(folder: globals.migrations))
    }
    let migrator = StoreMigrator(catalog: try Catalog(globals))
    var request = MigrationRequest(target: target)
    try request.readSchema()
    do throws(MigrationError) {
      return LintOutcome(path: path, result: .success(.store(try migrator.lint(path, request))))
    } catch {
      return LintOutcome(path: path, result: .failure(Failure(error)))
    }
  }

  private func outcome(of files: MigrationFileSet, besides others: Catalog) -> LintOutcome {
    LintOutcome(
      path: files.folder,
      result: .success(
        .files(count: files.count, StoreMigrator.lint(files, besides: others))))
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
