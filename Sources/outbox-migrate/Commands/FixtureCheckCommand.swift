import InputFiles
import SafeText
import FixtureCheck
import CommandLineKit
import StoreMigration
import StoreModel
import Migrations
import TerminalOutput

/// `fixture check`: checks migrations against expected rows.
struct FixtureCheckCommand: Command, Reporting {
  static let name = "check"
  static let abstract = "Check that fixtures still migrate to their expected rows."
  static let discussion = """
    A fixture is a folder with a store, options.json (the options of the migration) and \
    expected.txt (the rows after the migration). The tool plans, migrates, verifies, compares and \
    rolls back a copy of the store. It doesn't change the folder.

      outbox-migrate fixture check --record Fixtures/V8    # writes expected.txt: review it
      outbox-migrate fixture check Fixtures                # checks every folder in it

    Exits with 6 if a store doesn't migrate to its expected rows.
    """

  static let folders = Argument<[String]>(
    "dir", help: "A fixture's folder, or a folder that contains fixtures.", completion: .directory)
  static let record = Flag(
    "--record", help: "Write expected.txt instead of comparing with it; review it afterwards.")
  static let showValues = Flag(
    "--show-values", help: "Show the values that differ; they are real data from the rows.")
  static var parameters: [any Parameter] {
    [folders, record, showValues, TestFormat.option, GlobalOptions.progress]
  }

  let globals: GlobalOptions
  let folders: [String]
  let record: Bool
  let showValues: Bool
  let format: TestFormat

  init(_ input: borrowing Input) throws(UsageError) {
    format = try input.format(TestFormat.option)
    globals = GlobalOptions(input, printingJSON: format == .json, takingLong: true)
    folders = input[Self.folders]
    record = input[Self.record]
    showValues = input[Self.showValues]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let outcomes: [FixtureOutcome]
    do {
      outcomes = self.outcomes(
        StoreMigrator(catalog: try Catalog(folder: globals.migrations)), terminal)
    } catch {
      // A report for other tools names each folder that couldn't be checked.
      guard format == .junit || format == .github else { throw error }
      outcomes = folders.map { FixtureOutcome(folder: $0, result: .failure(error)) }
    }
    if let stop = Failure.ofStopSignal(doing: record ? Self.recorded(outcomes) : nil) { throw stop }
    for outcome in outcomes {
      if case .failure(let failure) = outcome.result { terminal.printError(failure.line) }
    }
    let report = CheckedFixtures(
      outcomes: outcomes, isRecording: record, showsValues: showValues, format: format)
    return try terminal.print(report, globals)
  }

  private func outcomes(_ migrator: StoreMigrator, _ terminal: Terminal) -> [FixtureOutcome] {
    folders.flatMap { folder in
      do throws(FixtureFolderError) {
        return try FixtureFolder.paths(at: folder).map { outcome(of: $0, migrator, in: terminal) }
      } catch {
        return [FixtureOutcome(folder: folder, result: .failure(Failure(error)))]
      }
    }
  }

  /// Says how many fixtures were recorded; `nil` if none was.
  private static func recorded(_ outcomes: [FixtureOutcome]) -> String? {
    let count = outcomes.count { if case .success = $0.result { true } else { false } }
    guard count > 0 else { return nil }
    return "\(Int64(count).counted("fixture")) of \(Int64(outcomes.count).grouped) "
      + (count == 1 ? "was" : "were") + " recorded"
  }

  private func outcome(
    of path: String, _ migrator: StoreMigrator, in terminal: Terminal
  ) -> FixtureOutcome {
    do throws(FixtureFolderError) {
      let fixture = try FixtureFolder(path)
      let display = globals.display(of: [fixture.store], .fixtureCheck, in: terminal)
      let report = try display.showing { () throws(FixtureFolderError) in
        record ? try migrator.record(fixture) : try migrator.check(fixture)
      }
      return FixtureOutcome(folder: path, result: .success(report))
    } catch {
      return FixtureOutcome(folder: path, result: .failure(Failure(error)))
    }
  }
}
