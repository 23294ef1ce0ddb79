import CommandLineKit
import StoreMigration

/// `quarantine restore`: rows that come back from a quarantine.
struct QuarantineRestoreCommand: Command, Reporting {
  static let name = "restore"
  static let abstract = "Put rows of the quarantine into the outbox, where the app would send them."
  static let discussion = """
    Each row is judged again by the store as it is now: what it is about may be there again, or \
    gone at last. With '--rows documented' all come back as the documents say, and the app may \
    stop at them. The rows are added in one transaction; 'rollback --keep-changes' brings all \
    back to the old version.
    """

  static let store = Argument<String>(
    "store", help: "The main file of the store.", completion: .file)
  static let rows = Option<MigrationRequest.Rows?>(
    "--rows", valueName: "form", help: "How the rows are written; else as the app sends them.")
  static var parameters: [any Parameter] { [store, rows] }

  let globals: GlobalOptions
  let store: String
  let form: MigrationRequest.Rows

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    store = input[Self.store]
    form = input[Self.rows] ?? .deliverable
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    return try StoreWork(globals) { path throws(MigrationError) in
      RestoredQuarantine(report: try migrator.restoreQuarantine(of: path, as: form))
    }
    .run(on: [store], in: terminal)
  }
}
