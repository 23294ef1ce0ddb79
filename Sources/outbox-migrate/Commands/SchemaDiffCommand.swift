import CommandLineKit
import InputFiles
import Migrations
import Platform
import Processes
import StoreModel
import TerminalOutput

/// `schema diff`: compares two versions.
struct SchemaDiffCommand: Command, Reporting {
  static let name = "diff"
  static let abstract = "Show how two versions differ, by entity and property."
  static let discussion = """
    Give each version as APP/VERSION, such as lume/V6, as the path of a schema file, of a \
    model (.xcdatamodeld, .xcdatamodel, .momd, .mom; '#NAME' after a bundle is one of its \
    versions) or of a store. Differences that don't change Core Data's version hashes, \
    such as defaults and indexes, are ignored.

      outbox-migrate schema diff lume/V6 lume/V7
    """

  static let old = Argument<String>(
    "old", help: "The older version.", completion: CompletionWords.appVersions.completionOrFile)
  static let new = Argument<String>(
    "new", help: "The newer version.", completion: CompletionWords.appVersions.completionOrFile)
  static var parameters: [any Parameter] { [old, new] }

  let globals: GlobalOptions
  let old: String
  let new: String

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    old = input[Self.old]
    new = input[Self.new]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    StopSignal.pauseNoting()
    let catalog = try Catalog(folder: globals.migrations)
    let report = SchemaDifference(old: try catalog.version(old), new: try catalog.version(new))
    let versions = [report.old, report.new]
    let stores = versions.compactMap(\.origin).filter(\.isStore).map(\.path)
    let globals = globals.naming(versions, stores: stores)
    return try terminal.print(report, globals)
  }
}
