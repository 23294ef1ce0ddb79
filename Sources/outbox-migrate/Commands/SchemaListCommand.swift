import CommandLineKit
import StoreMigration
package import Migrations

/// `schema list`: the versions that are known.
struct SchemaListCommand: Command, Reporting {
  static let name = "list"
  static let abstract = "List the versions that are known, and where migrations lead."

  let globals: GlobalOptions

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let catalog = try Catalog(folder: globals.migrations)
    return try terminal.print(SchemaList(catalog: catalog), globals)
  }
}
