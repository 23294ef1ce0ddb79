import CommandLineKit
import InputFiles
import Migrations
import TerminalOutput

/// `schema list`: lists the known versions.
struct SchemaListCommand: Command, Reporting {
  static let name = "list"
  static let abstract = "List the known versions, and the migrations between them."

  let globals: GlobalOptions

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let catalog = try Catalog(folder: globals.migrations)
    return try terminal.print(SchemaList(catalog: catalog), globals)
  }
}
