import CommandLineKit
import StoreMigration
package import Migrations

/// `quarantine restore`: rows that come back from a quarantine.
struct QuarantineRestoreCommand: Command, Reporting {
  static let name = "restore"
  static let abstract = "Put rows of the quarantine into the outbox, where the app would send them."
  static let discussion = """
    Each row is judged again by the store as it is now: what it is about may be there again, or \
    gone at last. With '--rows documented' all come back as the documents say, and the app may \
    stop at them; those with a password or a token, which anybody could read there, only where \
    they are named, as 'quarantine list' names them.
    """

  static let store = Argument<String>(
    "store", help: "The main file of the store.", completion: .file)
  static let rows = Option<MigrationRequest.Rows?>(
    "--rows", valueName: "form", help: "How the rows are written; else as the app sends them.")
  static let names = Argument<[String]>(
    "row", atLeast: 0, help: "A row that is meant: its UUID, or its entity and key; else all.")
  static let userID = Option<String?>(
    "--user-id", valueName: "id",
    help: "The owner of rows that name none; else the one that 'apply' took.")
  static var parameters: [any Parameter] { [store, names, rows, userID] }

  let globals: GlobalOptions
  let store: String
  let names: [String]
  let form: MigrationRequest.Rows
  let userID: String?

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    store = input[Self.store]
    names = input[Self.names]
    form = input[Self.rows] ?? .deliverable
    userID = input[Self.userID]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    return try StoreWork(globals) { path throws(MigrationError) in
      RestoredQuarantine(
        report: try migrator.restoreQuarantine(of: path, as: form, rows: names, userID: userID))
    }
    .run(on: [store], in: terminal)
  }
}
