import CommandLineKit
import StoreMigration

/// `apply`: the migration itself.
struct ApplyCommand: Command, Reporting {
  static let name = "apply"
  static let abstract = "Migrate a store, after taking a snapshot of it."
  static let discussion = """
    Nothing is asked. The new store is written beside the old one and proven against it, value by \
    value, before it takes its place; 'rollback' takes it back to the snapshot.

    Values that have no place in the target are a loss, and a loss must be accepted by the name of \
    its step, as 'plan' shows it. Exits with 7 if one isn't.
    """

  static let stores = Argument<[String]>(
    "store", help: "The main file of a store.", completion: .file)
  static let acceptedLosses = Option<[String]>(
    "--accept-data-loss", valueName: "step",
    help: "A step whose losses are accepted, or 'all'; may be repeated.")
  static let lockTimeout = Option<Duration?>(
    "--lock-timeout", valueName: "duration",
    help: "How long to wait for other processes to let go of the store, such as 10s.")
  static var parameters: [any Parameter] {
    [stores] + RequestOptions.parameters + [acceptedLosses, lockTimeout]
  }

  let globals: GlobalOptions
  let stores: [String]
  let options: RequestOptions
  let acceptedLosses: [String]
  let lockTimeout: Duration?

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    stores = input[Self.stores]
    options = RequestOptions(input)
    acceptedLosses = input[Self.acceptedLosses]
    lockTimeout = input[Self.lockTimeout]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let catalog = try Catalog(folder: globals.migrations)
    let request = try options.request(accepting: acceptedLosses)
    let migrator = StoreMigrator(catalog: catalog)
    return try StoreWork(globals) { path throws(MigrationError) in
      let report = try migrator.apply(to: path, request, lockTimeout: lockTimeout) { phase in
        if globals.progress { terminal.tell(phase, of: path) }
      }
      return ApplyOutcome(report: report)
    }
    .run(on: stores, in: terminal)
  }
}
