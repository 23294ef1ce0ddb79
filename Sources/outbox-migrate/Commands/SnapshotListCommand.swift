import CommandLineKit
import StoreMigration
package import Migrations

/// `snapshot list`: what a store can go back to.
struct SnapshotListCommand: Command, Reporting {
  static let name = "list"
  static let abstract = "List the snapshots of a store, and change nothing."
  static let discussion = """
    A snapshot counts if its receipt says that its run was done; with --check it is compared with \
    the hashes in the receipt too, which reads all of it. 'rollback' does so before it trusts one. \
    Sizes are what the files take up on the disk, blocks that they share with others included.

    With --check it exits with 6 if a snapshot isn't what was kept.
    """

  static let store = Argument<String>(
    "store", help: "The main file of the store.", completion: .file)
  static let check = Flag("--check", help: "Compare each with the hashes in its receipt.")
  static var parameters: [any Parameter] { [store, check] }

  let globals: GlobalOptions
  let store: String
  let checks: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    store = input[Self.store]
    checks = input[Self.check]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    return try StoreWork(globals) { path throws(MigrationError) in
      SnapshotList(report: try migrator.snapshots(of: path, checks: checks))
    }
    .run(on: [store], in: terminal)
  }
}
