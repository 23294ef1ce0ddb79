import CommandLineKit
import StoreMigration

/// `rollback`: the way back to a snapshot.
struct RollbackCommand: Command, Reporting {
  static let name = "rollback"
  static let abstract = "Take a store back to the snapshot of its last apply, or to another."
  static let discussion = """
    The snapshot is checked before it takes the store's place. Exits with 7, and changes nothing, \
    if something was written to the store since.
    """

  static let store = Argument<String>(
    "store", help: "The main file of the store.", completion: .file)
  static let snapshot = Option<String?>(
    "--to", valueName: "snapshot", help: "The snapshot to go back to; else the newest.",
    completion: .directory)
  static let dryRun = Flag("--dry-run", help: "Check that it would work, and change nothing.")
  static var parameters: [any Parameter] { [store, snapshot, dryRun] }

  let globals: GlobalOptions
  let store: String
  let snapshot: String?
  let dryRun: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    store = input[Self.store]
    snapshot = input[Self.snapshot]
    dryRun = input[Self.dryRun]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    return try StoreWork(globals) { path throws(MigrationError) in
      RollbackOutcome(report: try migrator.rollback(path, to: snapshot, dryRun: dryRun))
    }
    .run(on: [store], in: terminal)
  }
}
