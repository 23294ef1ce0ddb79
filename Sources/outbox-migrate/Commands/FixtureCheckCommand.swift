import CommandLineKit
import JSONText
import StoreMigration
import Migrations

/// `fixture check`: whether stores still become what they are expected to become.
struct FixtureCheckCommand: Command, Reporting {
  static let name = "check"
  static let abstract = "Check that fixtures still become what their folders say."
  static let discussion = """
    A fixture is a folder with a store, options.json (what it is migrated with) and expected.txt \
    (the rows that it must become). A copy is planned, applied, verified, compared and rolled \
    back; the folder stays as it is.

      outbox-migrate fixture check --record Fixtures/V8    # makes expected.txt: read it
      outbox-migrate fixture check Fixtures                # every folder in it

    Exits with 6 if a store becomes something else.
    """

  static let folders = Argument<[String]>(
    "dir", help: "A folder with a fixture, or with folders of fixtures.", completion: .directory)
  static let record = Flag(
    "--record", help: "Write expected.txt instead of comparing with it; read what it says then.")
  static let showValues = Flag(
    "--show-values", help: "Show the values that differ; they are data of the rows.")
  static var parameters: [any Parameter] { [folders, record, showValues] }

  let globals: GlobalOptions
  let folders: [String]
  let record: Bool
  let showValues: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    folders = input[Self.folders]
    record = input[Self.record]
    showValues = input[Self.showValues]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    var outcomes: [FixtureOutcome] = []
    for folder in folders {
      do throws(FixtureFolderError) {
        outcomes += try FixtureFolder.paths(at: folder).map { outcome(of: $0, migrator) }
      } catch {
        outcomes.append(FixtureOutcome(folder: folder, result: .failure(Failure(error))))
      }
    }
    for outcome in outcomes {
      if case .failure(let failure) = outcome.result { terminal.complain(failure.line) }
    }
    let report = CheckedFixtures(
      outcomes: outcomes, isRecording: record, showsValues: showValues)
    return try terminal.print(report, globals)
  }

  private func outcome(of path: String, _ migrator: StoreMigrator) -> FixtureOutcome {
    do throws(FixtureFolderError) {
      let fixture = try FixtureFolder(path)
      let report = record ? try migrator.record(fixture) : try migrator.check(fixture)
      return FixtureOutcome(folder: path, result: .success(report))
    } catch {
      return FixtureOutcome(folder: path, result: .failure(Failure(error)))
    }
  }
}
