import CommandLineKit
import StoreMigration

/// `plan`: what a migration would do.
struct PlanCommand: Command, Reporting {
  static let name = "plan"
  static let abstract = "Show what a migration would change in the data, and change nothing."
  static let discussion = """
    Every row that the migration changes is read and counted. Values are never shown.
    """

  static let store = Argument<String>(
    "store", help: "The main file of the store.", completion: .file)
  static let format = PlanFormat.option
  static let detailedExitCode = Flag(
    "--detailed-exitcode", help: "Exit with 2 if there is something to change.")
  static var parameters: [any Parameter] {
    [store] + RequestOptions.parameters + [format, detailedExitCode]
  }

  let globals: GlobalOptions
  let store: String
  let options: RequestOptions
  let format: PlanFormat
  let detailedExitCode: Bool

  init(_ input: borrowing Input) {
    store = input[Self.store]
    options = RequestOptions(input)
    format = input[Self.format]
    detailedExitCode = input[Self.detailedExitCode]
    globals = GlobalOptions(input, printingJSON: format == .json)
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let catalog = try Catalog(folder: globals.migrations)
    let request = try options.request()
    let migrator = StoreMigrator(catalog: catalog)
    return try StoreWork(globals) { path throws(MigrationError) in
      PlanOutcome(
        path: path, plan: try migrator.plan(for: path, request), options: options,
        format: format, reportsChanges: detailedExitCode)
    }
    .run(on: [store], in: terminal)
  }
}
