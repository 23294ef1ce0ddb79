import CommandLineKit
import Platform
import StoreMigration
package import Migrations

/// `plan`: what a migration would do.
struct PlanCommand: Command, Reporting {
  static let name = "plan"
  static let abstract = "Show what a migration would change in the data, and change nothing."
  static let discussion = """
    Every row that the migration changes is read and counted by the code that 'apply' writes with. \
    Values are marked, not shown: equal values have equal marks.

    A plan that is saved with --out is what 'apply' then does, exactly, or refuses to do:

      outbox-migrate plan default.store --out outbox.plan
      outbox-migrate apply outbox.plan
    """

  static let store = Argument<String>(
    "store", help: "The main file of the store.", completion: .file)
  static let out = Option<String?>(
    "--out", "-o", valueName: "planfile",
    help: "A file to save the plan in, for 'show' and 'apply'; it holds the options.",
    completion: .file)
  static let format = PlanFormat.option
  static let showValues = Flag(
    "--show-values", help: "Show the values of the examples; they are data of the rows.")
  static let detailedExitCode = Flag(
    "--detailed-exitcode", help: "Exit with 2 if there is something to change.")
  static var parameters: [any Parameter] {
    [store] + RequestOptions.parameters + [out, format, showValues, detailedExitCode]
  }

  let globals: GlobalOptions
  let store: String
  let options: RequestOptions
  let out: String?
  let format: PlanFormat
  let showValues: Bool
  let detailedExitCode: Bool

  init(_ input: borrowing Input) {
    store = input[Self.store]
    options = RequestOptions(input)
    out = input[Self.out]
    format = input[Self.format]
    showValues = input[Self.showValues]
    detailedExitCode = input[Self.detailedExitCode]
    globals = GlobalOptions(input, printingJSON: format == .json)
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    let request = try options.request()
    return try StoreWork(
      globals,
      orFailing: { path throws(Failure) in
        let (plan, file) = try plan(for: path, request, migrator)
        return PlanOutcome(
          path: path, bytes: (try? FileStatus(of: path))?.size, plan: plan, options: request.words,
          accepted: request.acceptedLosses,
          file: file, format: format, reportsChanges: detailedExitCode)
      }
    )
    .run(on: [store], in: terminal)
  }

  /// Makes the plan, and saves it where that was asked for.
  private func plan(
    for store: String, _ request: MigrationRequest, _ migrator: StoreMigrator
  ) throws(Failure) -> (Plan, PlanOutcome.SavedPlan?) {
    let file: PlanFile
    do {
      guard out != nil else {
        return (try migrator.plan(for: store, request, showsValues: showValues), nil)
      }
      file = try migrator.planFile(
        for: store, request, migrationFolder: globals.migrations, showsValues: showValues)
    } catch {
      throw Failure(error)
    }
    return (file.plan, try out.map { path throws(Failure) in try save(file, to: path) })
  }

  private func save(
    _ file: PlanFile, to path: String
  ) throws(Failure) -> PlanOutcome.SavedPlan {
    try file.save(to: path)
    let beside = try? FileStatus(of: file.storePath(beside: path)).identity
    let isBeside = beside != nil && beside == (try? FileStatus(of: store).identity)
    return PlanOutcome.SavedPlan(
      path: path, tool: file.tool, store: isBeside ? nil : store, isNew: true)
  }
}
