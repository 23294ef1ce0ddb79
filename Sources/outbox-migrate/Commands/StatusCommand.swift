import CommandLineKit
import InputFiles
import StoreMigration
import StoreModel
import Migrations
import TerminalOutput

/// `status`: shows the schema version of each store.
struct StatusCommand: Command, Reporting {
  static let name = "status"
  static let abstract = "Show which schema version a store has."
  static let discussion = """
    A store is recognised by its structure, not by its version number. The result is one of four: \
    exact; partial (everything that a migration needs matches, other parts differ); torn \
    (metadata, model and tables disagree); unknown. Unless the match is exact, the nearest \
    version and the differences are shown.

    Exits with 4 if a store is torn or unknown.
    """

  static let stores = Argument<[StorePath]>(
    "store", help: "A store's main file, or a folder that contains one store.", completion: .file)
  static let noCount = Flag(
    "--no-count", help: "Don't count the rows; counting is slow in large stores.")
  static let showValues = Flag(
    "--show-values", help: "Show the ids of the user profiles, for '--user-id'.")
  static var parameters: [any Parameter] {
    [stores, noCount, showValues, GlobalOptions.model, GlobalOptions.progress]
  }

  let globals: GlobalOptions
  let stores: [String]
  let noCount: Bool
  let showValues: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true, takingModel: true)
    stores = input[Self.stores].map(\.path)
    noCount = input[Self.noCount]
    showValues = input[Self.showValues]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(globals))
    let globals = globals.naming(migrator.catalog, stores: stores)
    return try StoreWork(globals, .count) { path throws(MigrationError) in
      let report = try migrator.status(of: path, countsRows: !noCount)
      let newest = newest(report, migrator.catalog)
      return StatusOutcome(
        report: report, newest: newest,
        otherVersion: otherVersion(report, migrator.catalog),
        gap: newest == nil
          ? report.recognition.version.flatMap { migrator.catalog.sentence(onGapAfter: $0) } : nil,
        profiles: showValues ? try migrator.profiles(of: path) : nil)
    }
    .run(on: stores, in: terminal)
  }

  /// Returns the version of `--model` to migrate to: the current one, or else the last one.
  private func otherVersion(_ report: StatusReport, _ catalog: Catalog) -> String? {
    guard let path = globals.model.first, globals.model.count == 1,
      let version = report.recognition.version, version.origin != nil
    else { return nil }
    let current = (try? SchemaFile(at: path)).map(ModelVersion.init) ?? catalog.lastGiven
    return current?.hashes == version.hashes ? nil : current?.name
  }

  /// Returns the newest version that migrations lead to, or `nil` if the store is there.
  private func newest(_ report: StatusReport, _ catalog: Catalog) -> String? {
    guard report.recognition.match == .exact, let version = report.recognition.version else {
      return nil
    }
    let newest = catalog.newest(from: version)
    return newest == version ? nil : newest.name
  }
}
