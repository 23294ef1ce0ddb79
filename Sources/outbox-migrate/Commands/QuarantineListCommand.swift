import CommandLineKit
import InputFiles
import StoreMigration
import Migrations
import TerminalOutput

/// `quarantine list`: lists the rows that an apply kept out of a store.
struct QuarantineListCommand: Command, Reporting {
  static let name = "list"
  static let abstract = "List the outbox rows that 'apply' didn't write into a store."
  static let discussion = """
    'apply --rows deliverable' doesn't write rows that the app can't send. It keeps them, \
    complete, in a file beside the snapshot. The list doesn't show their values. The file can \
    contain passwords.
    """

  static let store = Argument<StorePath>(
    "store", help: "The store's main file, or a folder that contains one store.", completion: .file)
  static let limit = Option(
    "--limit", valueName: "n", default: 20, in: 1...QuarantineReport.limit,
    help: "The maximum number of rows to list.")
  static var parameters: [any Parameter] { [store, limit] }

  let globals: GlobalOptions
  let store: String
  let limit: Int

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    store = input[Self.store].path
    limit = input[Self.limit]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    return try StoreWork(globals) { path throws(MigrationError) in
      QuarantineList(report: try migrator.quarantine(of: path), limit: limit)
    }
    .run(on: [store], in: terminal)
  }
}
