import CommandLineKit
import StoreMigration
package import Migrations
package import RowRewriting

/// `schema infer`: a migration file to start from.
struct SchemaInferCommand: Command, Reporting {
  static let name = "infer"
  static let abstract = "Write a migration file to start from, by what two models tell."
  static let discussion = """
    Equal names are kept, renaming identifiers are followed, new attributes get their defaults. \
    What the models don't tell is left as a step to decide; until it is decided, the file is \
    refused with the step's place. Versions are named as for 'schema diff'.

      outbox-migrate schema infer default.store v8.schema.json --out V7-V8.json
    """

  static let old = Argument<String>("old", help: "The older version.", completion: .file)
  static let new = Argument<String>("new", help: "The newer version.", completion: .file)
  static let out = SchemaCaptureCommand.out
  static var parameters: [any Parameter] { [old, new, out] }

  let globals: GlobalOptions
  let old: String
  let new: String
  let out: String?

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    old = input[Self.old]
    new = input[Self.new]
    out = input[Self.out]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let catalog = try Catalog(folder: globals.migrations)
    let inferred = InferredMigration(
      from: try catalog.version(old), to: try catalog.version(new))
    let text = inferred.migration.text(questions: inferred.openQuestions)
    return try terminal.deliver(text, to: out)
  }
}
