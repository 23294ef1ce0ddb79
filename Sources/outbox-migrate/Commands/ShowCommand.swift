import InputFiles
import PlanWriting
import Migrations
import CommandLineKit
import Platform
import StoreMigration
import TerminalOutput

/// `show`: shows a saved plan.
struct ShowCommand: Command, Reporting {
  static let name = "show"
  static let abstract = "Show a saved plan."
  static let discussion = """
    Reads only the plan file. The store can be elsewhere, or can have changed. The plan has the \
    store's name but not its path: if the store isn't beside the plan, the printed command has \
    STORE in place of the path.
    """

  static let file = Argument<String>(
    "planfile", help: "A file that 'plan --out' wrote.", completion: .file)
  static let format = SavedPlanFormat.option
  static let showValues = Flag(
    "--show-values", help: "Show the values of the examples, if they were saved with the plan.")
  static var parameters: [any Parameter] { [file, format, showValues] }

  let globals: GlobalOptions
  let file: String
  let format: PlanFormat
  let showValues: Bool

  init(_ input: borrowing Input) throws(UsageError) {
    file = input[Self.file]
    format = try input.format(Self.format).format
    showValues = input[Self.showValues]
    globals = GlobalOptions(input, printingJSON: format == .json)
  }

  func run(in terminal: Terminal) throws -> Int32 {
    guard format != .sql else {
      throw Failure(
        .misuse, "a saved plan has no statements; use 'plan STORE --format sql' with its options")
    }
    let saved = try PlanFile(at: file)
    // The plan has no path of its store, only the name.
    let isBeside = (try? FileSystem.exists(saved.storePath(beside: file))) == true
    let outcome = PlanOutcome(
      path: saved.store, bytes: nil, plan: showValues ? saved.plan : saved.plan.masked,
      options: saved.request.words, accepted: saved.request.acceptedLosses,
      file: PlanOutcome.SavedPlan(
        path: file, tool: saved.tool, store: isBeside ? nil : "STORE", isNew: false),
      format: format, reportsChanges: false)
    var globals = globals
    globals.migrations = globals.migrations ?? saved.migrationFolder
    return try terminal.print(outcome, globals)
  }
}
