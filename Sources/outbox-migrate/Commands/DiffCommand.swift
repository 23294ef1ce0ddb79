import CommandLineKit
import JSONText
import Platform
import StoreMigration
import Migrations
import RowRewriting

/// `diff`: how two stores differ.
struct DiffCommand: Command, Reporting {
  static let name = "diff"
  static let abstract = "Show how the rows of two stores differ, and change nothing."
  static let discussion = """
    Any two stores will do, of one version or of two. Rows pair by entity and primary key, \
    attributes by name; where migrations lead from one version to the other, names follow them. \
    What Core Data keeps for itself doesn't count: Z_OPT, history, metadata.

      outbox-migrate diff before.store after.store
      outbox-migrate diff before.store after.store --json-lines

    Rows are named by their keys; in the place of values stand marks, the same for equal values \
    of one run. Exits with 0 if the stores are equal and with 2 if they differ.
    """

  static let first = Argument<String>(
    "a", help: "The main file of one store.", completion: .file)
  static let second = Argument<String>(
    "b", help: "The main file of another store.", completion: .file)
  static let jsonLines = Flag(
    "--json-lines",
    help: "Print one JSON object per row that differs, each on a line, and the counts last.")
  static let showValues = Flag(
    "--show-values",
    help: "Add the values to --json-lines, except passwords, tokens and the like.")
  static var parameters: [any Parameter] { [first, second, jsonLines, showValues] }

  let globals: GlobalOptions
  let first: String
  let second: String
  let jsonLines: Bool
  let showsValues: Bool

  init(_ input: borrowing Input) throws(UsageError) {
    globals = GlobalOptions(input)
    first = input[Self.first]
    second = input[Self.second]
    jsonLines = input[Self.jsonLines]
    showsValues = input[Self.showValues]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    if showsValues && !jsonLines {
      throw UsageError.refused("'--show-values' shows nothing without '--json-lines'; give both")
    }
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    if jsonLines { return try printLines(by: migrator, in: terminal) }
    let difference: StoreDifference
    do {
      difference = try migrator.difference(between: first, and: second)
    } catch {
      throw Failure(error)
    }
    return try terminal.print(DiffOutcome(difference: difference), globals)
  }

  /// An error is the last line, so that whoever reads line by line hears of it too.
  private func printLines(by migrator: StoreMigrator, in terminal: Terminal) throws -> Int32 {
    let lines = JSONLines(terminal.output)
    let report = DifferenceReport(mask: ValueMask(showsValues: showsValues)) {
      difference throws(SystemError) in
      try lines.add(difference.json)
    }
    do {
      let outcome = DiffOutcome(
        difference: try migrator.difference(between: first, and: second, report: report))
      try lines.finish(outcome.members)
      return outcome.exitStatus.rawValue
    } catch let error as MigrationError {
      let failure = Failure(error)
      terminal.complain(failure.line)
      try lines.finish([.init("error", failure.json)])
      return failure.status.rawValue
    }
  }
}
