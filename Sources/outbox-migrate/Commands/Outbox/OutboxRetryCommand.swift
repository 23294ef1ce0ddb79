import InputFiles
import SafeText
import StoreMigration
import CommandLineKit
import OutboxStore
import TerminalOutput

/// `outbox retry`: puts failed events back into the queue.
struct OutboxRetryCommand: Command, Reporting {
  static let name = "retry"
  static let abstract = "Put failed events back into the queue."
  static let discussion = """
    Retries failed events that have attempts left. With '--exhausted', it also retries the \
    others, and resets their attempts. Nothing is sent. A snapshot is taken first; 'rollback' \
    restores it.
    """

  static let rows = Option<[OutboxRowName]>(
    "--row", valueName: "row", help: "Only this row, named as in 'outbox list'; may be repeated.")
  static let exhausted = Flag(
    "--exhausted", help: "Also retry events without attempts left.")
  static var parameters: [any Parameter] {
    [
      OutboxOptions.store, rows, OutboxOptions.type, OutboxOptions.user, exhausted,
      OutboxOptions.dryRun, GlobalOptions.progress,
    ]
  }

  let globals: GlobalOptions
  let store: String
  let rows: [OutboxRowName]
  let selection: OutboxSelection
  let includesExhausted: Bool
  let isDryRun: Bool

  init(_ input: borrowing Input) throws(UsageError) {
    globals = GlobalOptions(input, takingLong: true)
    store = input[OutboxOptions.store].path
    rows = input[Self.rows]
    selection = OutboxSelection(
      userID: input[OutboxOptions.user]?.text, eventType: input[OutboxOptions.type])
    includesExhausted = input[Self.exhausted]
    isDryRun = input[OutboxOptions.dryRun]
    if !rows.isEmpty && selection != OutboxSelection() {
      throw .exclusive("--row", "--user or --type")
    }
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    return try StoreWork(
      globals, .edit,
      orFailing: { path throws(Failure) in
        let edit = try access.edit(path, as: ["outbox", "retry"], isDryRun: isDryRun) {
          store, connection in
          let table = try OutboxTable(store)
          var selection = selection
          selection.userID = try selection.userID.map {
            try access.spelling(of: $0, in: store, connection)
          }
          if let key = try table.missingKey(among: rows.map(\.key), connection) {
            throw Failure(
              .failed,
              "there is no row '\(OutboxTable.entity)/\(key)'; 'outbox list' shows the rows")
          }
          return rows.isEmpty
            ? try table.resetForRetry(selection, includingExhausted: includesExhausted, connection)
            : try table.resetForRetry(
              keys: rows.map(\.key), includingExhausted: includesExhausted, connection)
        }
        let count = edit.result
        return OutboxEdited(
          report: edit.report, isDryRun: isDryRun, warnings: edit.warnings,
          counts: [("retried", count)],
          sentence: count == 0
            ? "No failed event to retry."
            : "\(count.counted("event")) \(isDryRun ? "would go" : "went") "
              + "back into the queue.")
      }
    )
    .run(on: [store], in: terminal)
  }
}
