import CommandLineKit
import InputFiles
import Migrations
import Platform
import StoreDiagnosis
import StoreMigration
import StoreModel
import TerminalOutput

/// `diagnose`: finds out why an app can't open a store.
struct DiagnoseCommand: Command, Reporting {
  static let name = "diagnose"
  static let abstract = "Find out why an app can't open a store, or doesn't find its rows."
  static let discussion = """
    Checks the files (log, sizes, permissions, what interrupted runs left), the store against \
    itself (metadata, model, tables, rows, external files), and with --app-version against the \
    models of the app that fails. The first cause explains most. Nothing is written, not even a \
    time stamp.

      outbox-migrate diagnose default.store
      outbox-migrate diagnose default.store --app-version App.xcdatamodeld
      outbox-migrate diagnose App.xcappdata --app-version Sources/Schema

    Give the versions in the order of the app's migration plan; the last is the model that the app \
    opens the store with. Error numbers are Apple's; which fault leads to which number is known \
    from public reports only.

    Exits with 1 if a cause is found, and with 66 if there is no store.
    """

  static let paths = Argument<[String]>(
    "store",
    help: "A store's main file, or a folder with stores, such as an '.xcappdata'.",
    completion: .file)
  static let versions = Option<[String]>(
    "--app-version", valueName: "model",
    help:
      "A version of the app: a schema file, a model, a folder of Swift source, a store, or APP:VERSION.",
    completion: .file)
  static var parameters: [any Parameter] {
    [paths, versions, GlobalOptions.model, GlobalOptions.progress]
  }

  let globals: GlobalOptions
  let paths: [String]
  let versions: [String]

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true, takingModel: true)
    paths = input[Self.paths]
    versions = input[Self.versions]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let catalog = try Catalog(globals)
    var appVersions: [ModelVersion] = []
    for word in versions { appVersions.append(try catalog.appVersion(word)) }
    let known = appVersions
    let migrator = StoreMigrator(catalog: catalog)
    let stores = paths.flatMap(Self.stores)
    let globals = globals.naming(catalog, known, stores: stores)
    return try StoreWork(globals, .verify) { path throws(MigrationError) in
      DiagnosisOutcome(
        diagnosis: try migrator.diagnose(path, appVersions: known),
        isCompared: !known.isEmpty)
    }
    .run(on: stores, in: terminal)
  }

  /// Returns the stores that a word may mean: those in a folder, or the file itself.
  private static func stores(at word: String) -> [String] {
    if (try? FileStatus(of: word).kind) == .directory {
      let found = StoreCandidates(among: StorePath.files(below: word)).found
      return found.isEmpty ? [word] : found
    }
    let ending = ["-wal", "-shm", "-journal"].first { word.hasSuffix($0) }
    let main = ending.map { String(word.dropLast($0.count)) }
    if let main, (try? FileSystem.exists(main)) == true { return [main] }
    return [word]
  }
}
