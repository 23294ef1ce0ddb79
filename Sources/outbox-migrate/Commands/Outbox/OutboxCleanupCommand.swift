import SafeText
import CommandLineKit
import OutboxStore

/// `outbox cleanup`: removes delivered events.
struct OutboxCleanupCommand: Command, Reporting {
  static let name = "cleanup"
  static let abstract = "Remove events that were delivered before a date."
  static let discussion = """
    Events without a delivery date are kept. A snapshot is taken first; 'rollback' restores it.

      outbox-migrate outbox cleanup default.store --before 2025-01-31
    """

  static let before = Option<Moment>(
    "--before", valueName: "date",
    help: "A day or a moment, in ISO 8601; days start at midnight UTC.")
  static var parameters: [any Parameter] {
    [OutboxOptions.store, before, OutboxOptions.user, OutboxOptions.dryRun, GlobalOptions.progress]
  }

  let globals: GlobalOptions
  let store: String
  let moment: Moment
  let user: String?
  let isDryRun: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true)
    store = input[OutboxOptions.store].path
    moment = input[Self.before]
    user = input[OutboxOptions.user]?.text
    isDryRun = input[OutboxOptions.dryRun]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    return try StoreWork(
      globals, .edit,
      orFailing: { path throws(Failure) in
        let edit = try access.edit(path, as: ["outbox", "cleanup"], isDryRun: isDryRun) {
          store, connection in
          let user = try user.map { try access.spelling(of: $0, in: store, connection) }
          return try OutboxTable(store)
            .deleteCompleted(olderThan: moment.date, ofUser: user, connection)
        }
        let count = edit.result
        return OutboxEdited(
          report: edit.report, isDryRun: isDryRun, warnings: edit.warnings,
          counts: [("removed", count)],
          sentence: count == 0
            ? "No event was delivered before that date."
            : "\(count.counted("delivered event")) \(isDryRun ? "would be" : "were") removed.")
      }
    )
    .run(on: [store], in: terminal)
  }
}
