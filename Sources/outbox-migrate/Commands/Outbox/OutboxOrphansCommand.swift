import CommandLineKit
import OutboxCore

/// `outbox orphans`: events about what isn't there.
struct OutboxOrphansCommand: Command, Reporting {
  static let name = "orphans"
  static let abstract = "Find the events that are about what isn't in the store."
  static let discussion = """
    Looks at every event that is to be sent, of all types; deletes aside, which are about what is \
    gone. 'outbox reset' removes them. Exits with 6 if there are some.
    """

  static var parameters: [any Parameter] { [OutboxOptions.store, OutboxOptions.user] }

  let globals: GlobalOptions
  let store: String
  let user: String?

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    store = input[OutboxOptions.store]
    user = input[OutboxOptions.user]?.text
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    return try StoreWork(
      globals,
      orFailing: { path throws(Failure) in
        try access.look(at: path) { store, connection in
          OutboxAuditOutcome(
            path: path,
            findings: try OutboxCheck(store).orphans(ofUser: user, connection), kinds: [.orphaned])
        }
      }
    )
    .run(on: [store], in: terminal)
  }
}
