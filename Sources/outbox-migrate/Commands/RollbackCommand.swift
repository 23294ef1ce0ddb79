import CommandLineKit
import InputFiles
import StoreMigration
import Migrations
import TerminalOutput

/// `rollback`: restores a snapshot.
struct RollbackCommand: Command, Reporting {
  static let name = "rollback"
  static let abstract = "Restore the snapshot of a store's last change, or another snapshot."
  static let discussion = """
    The snapshot is verified before it replaces the store. The current store becomes a snapshot \
    too, so that another rollback restores it. Exits with 7, without changes, if the store was \
    written to since, and you give neither --keep-changes nor --discard-changes.
    """

  static let store = Argument<StorePath>(
    "store", help: "The store's main file, or a folder that contains one store.", completion: .file)
  static let snapshot = Option<String?>(
    "--to", valueName: "snapshot", help: "The snapshot to restore; the newest by default.",
    completion: CompletionWords.snapshots.completion)
  static let keepChanges = Flag(
    "--keep-changes",
    help: "Carry later changes over; park values that the old version has no place for.")
  static let discardChanges = Flag(
    "--discard-changes", help: "Drop later changes.")
  static let dryRun = Flag("--dry-run", help: "Report what would change, and write nothing.")
  static var parameters: [any Parameter] {
    [
      store, snapshot, keepChanges, discardChanges, dryRun, GlobalOptions.model,
      GlobalOptions.progress,
    ]
  }

  let globals: GlobalOptions
  let store: String
  let snapshot: String?
  let laterWrites: LaterWrites?
  let isContradictory: Bool
  let dryRun: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true, takingModel: true)
    store = input[Self.store].path
    snapshot = input[Self.snapshot]
    laterWrites =
      input[Self.keepChanges] ? .keep : input[Self.discardChanges] ? .discard : nil
    isContradictory = input[Self.keepChanges] && input[Self.discardChanges]
    dryRun = input[Self.dryRun]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    if isContradictory {
      throw Failure(
        .misuse, "'--keep-changes' and '--discard-changes' exclude each other; give one")
    }
    let migrator = StoreMigrator(catalog: try Catalog(globals))
    let globals = globals.naming(migrator.catalog, stores: [store])
    return try StoreWork(globals, .rollback) { path throws(MigrationError) in
      RollbackOutcome(
        report: try migrator.rollback(
          path, to: snapshot, laterWrites: laterWrites, dryRun: dryRun),
        laterWrites: laterWrites)
    }
    .run(on: [store], in: terminal)
  }
}
