import CommandLineKit
import StoreMigration

/// `verify`: whether a store is sound.
struct VerifyCommand: Command, Reporting {
  static let name = "verify"
  static let abstract = "Check that a store is as Core Data expects it, and change nothing."
  static let discussion = """
    Any app's store will do: it is checked against the model in its own cache. A warning is what \
    the app can live with.

    Exits with 6 if a check fails.
    """

  static let stores = Argument<[String]>(
    "store", help: "The main file of a store.", completion: .file)
  static var parameters: [any Parameter] { [stores] }

  let globals: GlobalOptions
  let stores: [String]

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    stores = input[Self.stores]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    return try StoreWork(globals) { path throws(MigrationError) in
      VerifyOutcome(report: try migrator.verify(path))
    }
    .run(on: stores, in: terminal)
  }
}
