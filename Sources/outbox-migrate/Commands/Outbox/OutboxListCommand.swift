import CommandLineKit
import InputFiles
import OutboxCore
import OutboxStore
import StoreProof
import TerminalOutput

/// `outbox list`: lists the events of a store.
struct OutboxListCommand: Command, Reporting {
  static let name = "list"
  static let abstract = "List the events of a store's outbox."
  static let discussion = """
    One line per row, ordered by key. Users and entities appear as fingerprints; equal values \
    have equal fingerprints. '--show-values' shows the values.

      outbox-migrate outbox list default.store --status failed
    """

  static let status = Option<OutboxEventStatus?>(
    "--status", valueName: "status", help: "Only events with this status.")
  static let limit = Option(
    "--limit", valueName: "n", default: 50, in: 1...100_000, help: "The maximum number of rows.")
  static var parameters: [any Parameter] {
    [
      OutboxOptions.store, status, OutboxOptions.type, OutboxOptions.user, limit,
      OutboxOptions.showsValues, GlobalOptions.progress,
    ]
  }

  let globals: GlobalOptions
  let store: String
  let selection: OutboxSelection
  let limit: Int
  let showsValues: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true)
    store = input[OutboxOptions.store].path
    selection = OutboxSelection(
      userID: input[OutboxOptions.user]?.text, status: input[Self.status],
      eventType: input[OutboxOptions.type])
    limit = input[Self.limit]
    showsValues = input[OutboxOptions.showsValues]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    return try StoreWork(
      globals, .stats,
      orFailing: { path throws(Failure) in
        try access.read(path) { store, connection in
          var selection = selection
          selection.userID = try selection.userID.map {
            try access.spelling(of: $0, in: store, connection)
          }
          let rows = try OutboxTable(store).rows(selection, limit: limit + 1, connection)
          return OutboxListing(
            path: path, rows: Array(rows.prefix(limit)), hasMore: rows.count > limit,
            mask: ValueMask(of: [store], showsValues: showsValues))
        }
      }
    )
    .run(on: [store], in: terminal)
  }
}
