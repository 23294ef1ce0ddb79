import CommandLineKit
import StoreMigration
package import Migrations

/// `status`: which version each store is at.
struct StatusCommand: Command, Reporting {
  static let name = "status"
  static let abstract = "Say which version of its app's schema a store is at."
  static let discussion = """
    A store is recognised by its structure, never by its version number: exact, partial (it has \
    everything a migration touches, and differs elsewhere), torn (its parts disagree) or unknown. \
    For the last three the nearest version and the differences are shown.

    Exits with 4 if a store is torn or unknown.
    """

  static let stores = Argument<[String]>(
    "store", help: "The main file of a store.", completion: .file)
  static let noCount = Flag(
    "--no-count", help: "Don't count the rows, which large stores make slow.")
  static var parameters: [any Parameter] { [stores, noCount] }

  let globals: GlobalOptions
  let stores: [String]
  let noCount: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    stores = input[Self.stores]
    noCount = input[Self.noCount]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    return try StoreWork(globals) { path throws(MigrationError) in
      let report = try migrator.status(of: path, countsRows: !noCount)
      return StatusOutcome(report: report, newest: newest(report, migrator.catalog))
    }
    .run(on: stores, in: terminal)
  }

  /// The name of the version that the store could be migrated to.
  private func newest(_ report: StatusReport, _ catalog: Catalog) -> String? {
    guard report.recognition.match == .exact, let version = report.recognition.version else {
      return nil
    }
    let newest = catalog.newest(from: version)
    return newest == version ? nil : newest.name
  }
}
