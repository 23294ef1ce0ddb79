import CommandLineKit
import InputFiles
import StoreMigration
import Migrations
import StoreProof
import TerminalOutput

/// `quarantine restore`: writes rows from a quarantine back into the outbox.
struct QuarantineRestoreCommand: Command, Reporting {
  static let name = "restore"
  static let abstract = "Write rows from the quarantine back into the outbox."
  static let discussion = """
    Each row is checked again, against the store as it is now: its entity may have come back, or \
    may be deleted for good. Rows that the app still can't send stay in the quarantine.

    With '--rows documented', all rows are restored in the documented form, and the app may stop \
    processing its outbox at one of them. Passwords and tokens would be readable in that form, so \
    rows that contain one are restored only if you name them, as 'quarantine list' does.
    """

  static let store = Argument<StorePath>(
    "store", help: "The store's main file, or a folder that contains one store.", completion: .file)
  static let rows = Option<MigrationRequest.Rows?>(
    "--rows", valueName: "form", help: "The form of the restored rows; 'deliverable' by default.")
  static let names = Argument<[String]>(
    "row", atLeast: 0, help: "A row to restore: its UUID, or its entity and key; all by default.")
  static let userID = Option<String?>(
    "--user-id", valueName: "id",
    help: "The owner of rows without one; by default, the owner that 'apply' used.")
  static var parameters: [any Parameter] {
    [store, names, rows, userID, OutboxOptions.dryRun, GlobalOptions.progress]
  }

  let globals: GlobalOptions
  let store: String
  let names: [String]
  let form: MigrationRequest.Rows
  let userID: String?
  let isDryRun: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true)
    store = input[Self.store].path
    names = input[Self.names]
    form = input[Self.rows] ?? .deliverable
    userID = input[Self.userID]
    isDryRun = input[OutboxOptions.dryRun]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    return try StoreWork(globals, .edit) { path throws(MigrationError) in
      RestoredQuarantine(
        report: try migrator.restoreQuarantine(
          of: path, as: form, rows: names, userID: userID, isDryRun: isDryRun),
        isDryRun: isDryRun)
    }
    .run(on: [store], in: terminal)
  }
}
