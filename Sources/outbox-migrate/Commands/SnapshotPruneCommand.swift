import CommandLineKit
import InputFiles
import StoreMigration
import Migrations
import TerminalOutput

/// `snapshot prune`: removes old snapshots.
struct SnapshotPruneCommand: Command, Reporting {
  static let name = "prune"
  static let abstract = "Remove old snapshots of a store."
  static let discussion = """
    The snapshots to keep are checked first. A snapshot that doesn't match its receipt is neither \
    counted nor removed. Regardless of --keep, the snapshot that 'rollback' would restore is \
    kept, and so are snapshots with quarantined rows, unless you give --force. With --snapshot, \
    one snapshot is removed; with --force, also a folder that an interrupted run left and of which \
    it is unknown whether it is a snapshot.
    """

  static let store = Argument<StorePath>(
    "store", help: "The store's main file, or a folder that contains one store.", completion: .file)
  static let keep = Option<Int?>(
    "--keep", valueName: "n", in: 0...1_000_000,
    help: "The number of snapshots to keep, newest first.")
  static let snapshot = Option<String?>(
    "--snapshot", valueName: "name", help: "The one snapshot to remove, instead of --keep.",
    completion: CompletionWords.snapshots.completion)
  static let force = Flag(
    "--force",
    help: "Also remove what 'rollback' would restore, and snapshots with quarantined rows.")
  static let dryRun = Flag("--dry-run", help: "Report what would be removed, and remove nothing.")
  static var parameters: [any Parameter] {
    [store, keep, snapshot, force, dryRun, GlobalOptions.progress]
  }

  let globals: GlobalOptions
  let store: String
  let count: Int?
  let snapshot: String?
  let force: Bool
  let dryRun: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true)
    store = input[Self.store].path
    count = input[Self.keep]
    snapshot = input[Self.snapshot]
    force = input[Self.force]
    dryRun = input[Self.dryRun]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    let prune: (String) throws(MigrationError) -> SnapshotPruneReport
    switch (count, snapshot) {
    case (let count?, nil):
      prune = { path throws(MigrationError) in
        try migrator.pruneSnapshots(of: path, keeping: count, force: force, dryRun: dryRun)
      }
    case (nil, let name?):
      prune = { path throws(MigrationError) in
        try migrator.removeSnapshot(named: name, of: path, force: force, dryRun: dryRun)
      }
    case (nil, nil), (.some, .some):
      throw Failure(.misuse, "give either '--keep' or '--snapshot'")
    }
    let outline = WorkOutline.checkSnapshots(of: store, newest: max(count ?? 1, 1))
    return try StoreWork(globals, outline) { path throws(MigrationError) in
      PrunedSnapshots(report: try prune(path))
    }
    .run(on: [store], in: terminal)
  }
}
