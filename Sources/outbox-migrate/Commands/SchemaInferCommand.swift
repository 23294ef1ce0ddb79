import CommandLineKit
import Migrations

/// `schema infer`: writes a migration file to start from.
struct SchemaInferCommand: Command, Reporting {
  static let name = "infer"
  static let abstract = "Write a migration file to start from, inferred from two models."
  static let discussion = """
    Equal names are kept, renaming identifiers are followed, and new attributes get their \
    defaults. If the two models alone don't determine the migration, the file contains a step for \
    you to decide. Until you do, the tool refuses the file and reports the step's position. Give \
    the versions as for 'schema diff'.

      outbox-migrate schema infer default.store v8.schema.json --out V7-V8.json
    """

  static let old = Argument<String>(
    "old", help: "The older version.", completion: CompletionWords.appVersions.completionOrFile)
  static let new = Argument<String>(
    "new", help: "The newer version.", completion: CompletionWords.appVersions.completionOrFile)
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
    return try terminal.write(text, to: out)
  }
}
