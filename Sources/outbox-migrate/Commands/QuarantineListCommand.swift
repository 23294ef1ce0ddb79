import CommandLineKit
import StoreMigration
package import Migrations

/// `quarantine list`: what an apply kept out of a store.
struct QuarantineListCommand: Command, Reporting {
  static let name = "list"
  static let abstract = "List the rows that apply kept out of the outbox, and change nothing."
  static let discussion = """
    They are rows that the app can't send: 'apply --rows deliverable' keeps them whole in a file \
    beside the snapshot. Their values aren't shown; the file can hold passwords.
    """

  static let store = Argument<String>(
    "store", help: "The main file of the store.", completion: .file)
  static var parameters: [any Parameter] { [store] }

  let globals: GlobalOptions
  let store: String

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    store = input[Self.store]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    return try StoreWork(globals) { path throws(MigrationError) in
      QuarantineList(report: try migrator.quarantine(of: path))
    }
    .run(on: [store], in: terminal)
  }
}
