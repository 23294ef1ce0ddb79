import InputFiles
import JSONText
import CommandLineKit
import Platform
import StoreFormat
import StoreMigration
import Migrations
import StoreProof
import TerminalOutput

/// `diff`: compares two stores.
struct DiffCommand: Command, Reporting {
  static let name = "diff"
  static let abstract = "Compare the rows of two stores."
  static let discussion = """
    You can compare any two stores, of the same version or of different versions. Rows are paired \
    by entity and primary key, attributes by name. If migrations lead from one version to the \
    other, their renames are followed. Core Data's bookkeeping is ignored: Z_OPT, history, \
    metadata. With --by, rows are paired by the attributes that you name, such as 'id' or \
    'SDMoodEntry.sourceId'; rows of equal values in the order of their keys.

      outbox-migrate diff before.store after.store
      outbox-migrate diff before.store after.store --json-lines
      outbox-migrate diff one.store other.store --by id

    Rows are identified by their keys. Values appear as fingerprints; equal values have \
    equal fingerprints, in every run. Exits with 0 if the stores are equal, and with 2 if they \
    differ.
    """

  static let first = Argument<StorePath>(
    "a", help: "One store's main file, or a folder that contains one store.", completion: .file)
  static let second = Argument<StorePath>(
    "b", help: "The other store's main file, or a folder that contains one store.",
    completion: .file)
  static let jsonLines = Flag(
    "--json-lines",
    help: "Print a line of JSON for each row that differs, then a line with the counts.")
  static let attributes = Option<[String]>(
    "--by", valueName: "attribute",
    help: "Pair rows by this attribute, where entities have it, instead of by primary key.")
  static let showValues = Flag(
    "--show-values",
    help: """
      Show the first rows that differ with their values side by side, or add values to \
      --json-lines; except passwords, tokens and similar secrets.
      """)
  static var parameters: [any Parameter] {
    [
      first, second, attributes, jsonLines, showValues, GlobalOptions.model,
      GlobalOptions.progress,
    ]
  }

  let globals: GlobalOptions
  let first: String
  let second: String
  let attributes: [String]
  let jsonLines: Bool
  let showsValues: Bool

  init(_ input: borrowing Input) throws(UsageError) {
    globals = GlobalOptions(input, takingLong: true, takingModel: true)
    first = input[Self.first].path
    second = input[Self.second].path
    attributes = input[Self.attributes]
    jsonLines = input[Self.jsonLines]
    showsValues = input[Self.showValues]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    if showsValues && globals.json && !jsonLines {
      throw UsageError.refused(
        "'--show-values' has no rows to add values to with '--json'; use '--json-lines'")
    }
    let migrator = StoreMigrator(catalog: try Catalog(globals))
    let globals = globals.naming(migrator.catalog, stores: [first, second])
    if jsonLines { return try printLines(by: migrator, in: terminal) }
    let difference: StoreDifference
    var rows: [Difference] = []
    do {
      difference = try globals.display(of: [first, second], .compare, in: terminal).showing {
        () throws(MigrationError) in
        let report = DifferenceReport(showsValues: true) { difference in
          if rows.count < DiffOutcome.rowLimit { rows.append(difference) }
        }
        return try migrator.difference(
          between: first, and: second, by: attributes, report: showsValues ? report : nil)
      }
    } catch {
      throw Failure(error)
    }
    return try terminal.print(
      DiffOutcome(
        difference: difference, attributes: attributes, warnings: warnings, rows: rows), globals)
  }

  /// The warnings about the files of both stores.
  private var warnings: [PlanWarning] {
    StoreFiles.warnings(about: first) + StoreFiles.warnings(about: second)
  }

  /// Prints the differences as JSON lines; an error becomes the last line.
  private func printLines(by migrator: StoreMigrator, in terminal: Terminal) throws -> Int32 {
    let lines = JSONLines(terminal.output)
    let report = DifferenceReport(showsValues: showsValues) {
      difference throws(SystemError) in
      try lines.add(difference.json)
    }
    do {
      let outcome = DiffOutcome(
        difference: try migrator.difference(
          between: first, and: second, by: attributes, report: report),
        attributes: attributes, warnings: warnings)
      try lines.finish(outcome.members)
      return outcome.exitStatus.rawValue
    } catch let error as MigrationError {
      let failure = Failure.ofStopSignal() ?? Failure(error)
      terminal.printError(failure.line)
      try lines.finish([.init("error", failure.json)])
      return failure.status.rawValue
    }
  }
}
