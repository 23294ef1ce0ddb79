import CommandLineKit
import StoreMigration
package import Migrations

/// `snapshot prune`: the end of old snapshots.
struct SnapshotPruneCommand: Command, Reporting {
  static let name = "prune"
  static let abstract = "Remove all snapshots of a store but the newest."
  static let discussion = """
    Those that stay are checked first: one that isn't what was kept isn't counted, and left alone. \
    The one that 'rollback' goes back to stays, whatever --keep says, unless --force is given.
    """

  static let store = Argument<String>(
    "store", help: "The main file of the store.", completion: .file)
  static let keep = Option<Int>(
    "--keep", valueName: "n", in: 0...1_000_000, help: "How many snapshots to keep.")
  static let force = Flag(
    "--force", help: "Remove even the one that the present state goes back to.")
  static let dryRun = Flag("--dry-run", help: "Say what it would do, and change nothing.")
  static var parameters: [any Parameter] { [store, keep, force, dryRun] }

  let globals: GlobalOptions
  let store: String
  let count: Int
  let force: Bool
  let dryRun: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    store = input[Self.store]
    count = input[Self.keep]
    force = input[Self.force]
    dryRun = input[Self.dryRun]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    return try StoreWork(globals) { path throws(MigrationError) in
      PrunedSnapshots(
        report: try migrator.pruneSnapshots(
          of: path, keeping: count, force: force, dryRun: dryRun))
    }
    .run(on: [store], in: terminal)
  }
}
