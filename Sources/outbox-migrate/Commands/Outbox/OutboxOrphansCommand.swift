import CommandLineKit
import InputFiles
import OutboxStore
import TerminalOutput

/// `outbox orphans`: finds events without an entity.
struct OutboxOrphansCommand: Command, Reporting {
  static let name = "orphans"
  static let abstract = "Find events whose entity isn't in the store."
  static let discussion = """
    Checks all events that aren't delivered yet, except deletes: their entities are gone on \
    purpose. 'outbox cleanup --orphaned' removes orphans. Rows that can't be read as events are listed, too: \
    their entities are unknown. Exits with 6 if there are orphans or such rows.
    """

  static var parameters: [any Parameter] {
    [OutboxOptions.store, OutboxOptions.user, GlobalOptions.progress]
  }

  let globals: GlobalOptions
  let store: String
  let user: String?

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true)
    store = input[OutboxOptions.store].path
    user = input[OutboxOptions.user]?.text
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    return try StoreWork(
      globals, .orphans,
      orFailing: { path throws(Failure) in
        try access.read(path) { store, connection in
          let user = try user.map { try access.spelling(of: $0, in: store, connection) }
          return OutboxAuditOutcome(
            path: path,
            findings: try OutboxCheck(store).orphans(ofUser: user, connection),
            kinds: [.unreadable, .orphaned])
        }
      }
    )
    .run(on: [store], in: terminal)
  }
}
