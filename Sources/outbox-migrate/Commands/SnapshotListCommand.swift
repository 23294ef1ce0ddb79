import CommandLineKit
import InputFiles
import StoreMigration
import Migrations
import TerminalOutput

/// `snapshot list`: lists the snapshots of a store.
struct SnapshotListCommand: Command, Reporting {
  static let name = "list"
  static let abstract = "List the snapshots of a store."
  static let discussion = """
    Each snapshot has a receipt: a file that records its run and the hashes of its files. A \
    snapshot is complete if the receipt says that the run was completed. With --check, its files \
    are also compared with the hashes, which reads the whole snapshot; 'rollback' always does \
    that. Sizes are disk usage, including blocks shared with other files.

    With --check, exits with 6 if a snapshot doesn't match its receipt.
    """

  static let store = Argument<StorePath>(
    "store", help: "The store's main file, or a folder that contains one store.", completion: .file)
  static let check = Flag("--check", help: "Compare each snapshot with the hashes in its receipt.")
  static var parameters: [any Parameter] { [store, check, GlobalOptions.progress] }

  let globals: GlobalOptions
  let store: String
  let checks: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true)
    store = input[Self.store].path
    checks = input[Self.check]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    return try StoreWork(globals, checks ? .checkSnapshots(of: store) : nil) {
      path throws(MigrationError) in
      SnapshotList(report: try migrator.snapshots(of: path, checks: checks))
    }
    .run(on: [store], in: terminal)
  }
}
