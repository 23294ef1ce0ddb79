import InputFiles
import PlanWriting
import CommandLineKit
import MigrationMonitoring
import Platform
import StoreMigration
import Migrations
import TerminalOutput

/// `plan`: shows what a migration would do.
struct PlanCommand: Command, Reporting {
  static let name = "plan"
  static let abstract = "Show what a migration would change, without writing to the store."
  static let discussion = """
    'plan' reads and counts every row that would change, with the code that 'apply' writes with. \
    Values appear as fingerprints; equal values have equal fingerprints.

    By default, outbox rows follow Lume's migration document. The shipped V7 app can't process \
    those; use '--rows deliverable'.

    What 'apply' would refuse is listed as a blocker, and the exit status is the one that 'apply' would \
    have. For that, SQLite checks the whole file; '--no-integrity' leaves this out.

    You can save a plan with --out. 'apply' then does exactly what the plan says, or refuses:

      outbox-migrate plan default.store --out outbox.plan
      outbox-migrate apply outbox.plan
    """

  static let store = Argument<StorePath>(
    "store", help: "The store's main file, or a folder that contains one store.", completion: .file)
  static let out = Option<String?>(
    "--out", "-o", valueName: "planfile",
    help: "Save the plan, with its options, to this file for 'show' and 'apply'.",
    completion: .file)
  static let format = PlanFormat.option
  static let showValues = Flag(
    "--show-values", help: "Show the values of the examples; they are real data from the rows.")
  static let detailedExitCode = Flag(
    "--detailed-exitcode", help: "Exit with 2 if the plan contains changes and nothing blocks it.")
  static let noIntegrity = Flag(
    "--no-integrity", help: "Don't check the file for damage, to have the plan sooner.")
  static var parameters: [any Parameter] {
    [store] + RequestOptions.parameters + [
      out, format, showValues, detailedExitCode, noIntegrity, MonitoringOptions.rates,
      GlobalOptions.model,
      GlobalOptions.progress,
    ]
  }

  let globals: GlobalOptions
  let store: String
  let options: RequestOptions
  let out: String?
  let format: PlanFormat
  let showValues: Bool
  let detailedExitCode: Bool
  let noIntegrity: Bool
  let rates: String?

  init(_ input: borrowing Input) throws(UsageError) {
    store = input[Self.store].path
    options = RequestOptions(input)
    out = input[Self.out]
    if let out { try Self.checkName(ofPlan: out) }
    format = try input.format(Self.format)
    showValues = input[Self.showValues]
    detailedExitCode = input[Self.detailedExitCode]
    noIntegrity = input[Self.noIntegrity]
    rates = input[MonitoringOptions.rates]
    globals = GlobalOptions(
      input, printingJSON: format == .json, takingLong: true, takingModel: true)
  }

  /// Refuses a name of a plan file by which the user means the report.
  private static func checkName(ofPlan path: String) throws(UsageError) {
    if path == "-" {
      throw .refused(
        "'--out' saves a plan file, and '-' isn't a name; for the plan as JSON, use '--json'")
    }
    guard [".html", ".htm", ".md", ".sql"].contains(where: { path.lowercased().hasSuffix($0) })
    else {
      return
    }
    throw .refused(
      "'--out' saves a plan file for 'apply', not the report; write '> \(path)' instead of it")
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(globals))
    let request = try options.request(migrator.catalog)
    let globals = globals.naming(migrator.catalog, request, stores: [store])
    try refuseSaving(request)
    let rates = try rates.map { path throws(Failure) in try MeasuredRates(atPath: path) }
    return try StoreWork(
      globals, .plan(isDeliverable: request.rows == .deliverable, checksIntegrity: !noIntegrity),
      orFailing: { path throws(Failure) in
        let (plan, file) = try plan(for: path, request, migrator)
        // A script that asks whether anything is to be done must not take this for a no.
        if detailedExitCode, request.target == nil,
          let error = migrator.catalog.unknownStart(of: plan.app, beyond: plan.to)
        {
          throw Failure(error)
        }
        let statements: [String]
        do throws(MigrationError) {
          statements = format == .sql ? try migrator.script(for: path, request) : []
        } catch {
          throw Failure(error)
        }
        return PlanOutcome(
          path: path, bytes: (try? FileStatus(of: path))?.size, plan: plan, options: request.words,
          accepted: request.acceptedLosses,
          file: file, format: format, statements: statements, reportsChanges: detailedExitCode,
          expected: rates.flatMap {
            ExpectedTime(
              $0, plan.app, from: plan.from, to: plan.to, bytes: RunMonitor.bytes(of: path))
          }, tellsTime: rates != nil)
      }
    )
    .run(on: [store], in: terminal)
  }

  /// Refuses to save a plan that would need several models again.
  private func refuseSaving(_ request: MigrationRequest) throws(UsageError) {
    guard out != nil, !request.unitedTargets.isEmpty else { return }
    throw .refused(
      "a saved plan has one target; unite the models with 'schema capture --out', and give that "
        + "file to '--to'")
  }

  /// Creates the plan, and saves it if `--out` is given.
  private func plan(
    for store: String, _ request: MigrationRequest, _ migrator: StoreMigrator
  ) throws(Failure) -> (Plan, PlanOutcome.SavedPlan?) {
    let file: PlanFile
    do {
      guard out != nil else {
        let plan = try migrator.plan(
          for: store, request, showsValues: showValues, checksIntegrity: !noIntegrity)
        return (plan, nil)
      }
      file = try migrator.planFile(
        for: store, request, migrationFolder: globals.migrations, showsValues: showValues,
        checksIntegrity: !noIntegrity)
    } catch {
      throw Failure(error)
    }
    return (file.plan, try out.map { path throws(Failure) in try save(file, to: path) })
  }

  private func save(
    _ file: PlanFile, to path: String
  ) throws(Failure) -> PlanOutcome.SavedPlan {
    // From here on, a stop signal comes too late to say that nothing was written.
    do { try StopSignal.completeRun() } catch { throw Failure(any: error) }
    try file.save(to: path)
    let beside = try? FileStatus(of: file.storePath(beside: path)).identity
    let isBeside = beside != nil && beside == (try? FileStatus(of: store).identity)
    return PlanOutcome.SavedPlan(
      path: path, tool: file.tool, store: isBeside ? nil : store, isNew: true)
  }
}
