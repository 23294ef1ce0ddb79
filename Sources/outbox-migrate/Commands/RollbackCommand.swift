import CommandLineKit
import StoreMigration
package import Migrations

/// `rollback`: the way back to a snapshot.
struct RollbackCommand: Command, Reporting {
  static let name = "rollback"
  static let abstract = "Take a store back to the snapshot of its last apply, or to another."
  static let discussion = """
    The snapshot is checked before it takes the store's place, and the present store is kept as \
    a snapshot itself: another rollback leads to it. Exits with 7, and changes nothing, if \
    something was written to the store since and neither --keep-changes nor --discard-changes is \
    given.
    """

  static let store = Argument<String>(
    "store", help: "The main file of the store.", completion: .file)
  static let snapshot = Option<String?>(
    "--to", valueName: "snapshot", help: "The snapshot to go back to; else the newest.",
    completion: .directory)
  static let keepChanges = Flag(
    "--keep-changes",
    help: "Take what was written since back too; park what the old version has no place for.")
  static let discardChanges = Flag(
    "--discard-changes", help: "Go back without what was written since.")
  static let dryRun = Flag("--dry-run", help: "Say what it would do, and change nothing.")
  static var parameters: [any Parameter] { [store, snapshot, keepChanges, discardChanges, dryRun] }

  let globals: GlobalOptions
  let store: String
  let snapshot: String?
  let laterWrites: LaterWrites?
  let isContradictory: Bool
  let dryRun: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    store = input[Self.store]
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
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    return try StoreWork(globals) { path throws(MigrationError) in
      RollbackOutcome(
        report: try migrator.rollback(
          path, to: snapshot, laterWrites: laterWrites, dryRun: dryRun),
        laterWrites: laterWrites)
    }
    .run(on: [store], in: terminal)
  }
}
