import InputFiles
import RowInspection
import CommandLineKit
import StoreFormat
import StoreMigration
import Migrations
import TerminalOutput

/// `explain`: shows what a migration does to one row.
struct ExplainCommand: Command, Reporting {
  static let name = "explain"
  static let abstract = "Explain what a migration does to one row, step by step."
  static let discussion = """
    For each step of the plan that concerns the row, you see which rule applies, what each \
    property becomes, and why. Values appear as fingerprints; equal values have equal \
    fingerprints.

      outbox-migrate explain default.store SDOutboxEvent/12
      outbox-migrate explain default.store 1F6E9A7C-5A5E-4C3B-9D8E-0A1B2C3D4E5F
    """

  static let store = Argument<StorePath>(
    "store", help: "The store's main file, or a folder that contains one store.", completion: .file)
  static let row = Argument<String>(
    "row",
    help: "The row: the UUID in its 'id', or its entity and key, such as 'SDOutboxEvent/12'.",
    completion: CompletionWords.rows.completion)
  static let showValues = Flag(
    "--show-values", help: "Show the row's values, except passwords, tokens and similar secrets.")
  static var parameters: [any Parameter] {
    [
      store, row, RequestOptions.target, RequestOptions.userID, RequestOptions.rows, showValues,
      GlobalOptions.model, GlobalOptions.progress,
    ]
  }

  let globals: GlobalOptions
  let store: String
  let row: String
  let request: MigrationRequest
  let showValues: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true, takingModel: true)
    store = input[Self.store].path
    row = input[Self.row]
    request = MigrationRequest(
      targets: input[RequestOptions.target], userID: input[RequestOptions.userID],
      rows: input[RequestOptions.rows] ?? .documented)
    showValues = input[Self.showValues]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(globals))
    var request = request
    try request.readSchema(migrator.catalog)
    let completeRequest = request
    let globals = globals.naming(migrator.catalog, request, stores: [store])
    let outline = WorkOutline.explain(isDeliverable: request.rows == .deliverable)
    return try StoreWork(globals, outline) { path throws(MigrationError) in
      ExplainOutcome(
        explanation: try migrator.explain(row, of: path, completeRequest, showsValues: showValues),
        warnings: StoreFiles.warnings(about: path))
    }
    .run(on: [store], in: terminal)
  }
}
