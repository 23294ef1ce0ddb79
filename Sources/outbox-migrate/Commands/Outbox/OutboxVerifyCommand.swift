import CommandLineKit
import InputFiles
import OutboxStore
import StoreProof
import TerminalOutput

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `outbox verify`: reports the problems of an outbox.
struct OutboxVerifyCommand: Command, Reporting {
  static let name = "verify"
  static let abstract =
    "Find events that are stuck, orphaned or duplicated, and entities without an event."
  static let discussion = """
    Checks every event, and every entity that events can be about. It reports rows that can't be \
    read; events that are stuck, stale, exhausted, orphaned or duplicated; deletes of an entity \
    that is in the store or that the server can't identify; entities that no event uploads; and \
    contradictory sync states. Exits with 6 if something prevents an event from being delivered, \
    or would deliver it twice.

    It also counts the entities of each type, and how many of them the server has. With '--type', \
    '--user' or '--max-age', it looks only at those events and entities:

      outbox-migrate outbox verify default.store --type progressEntry --max-age 7d
    """

  static let maxAge = Option<Duration?>(
    "--max-age", valueName: "duration",
    help: "Only events and entities created within this time, such as 7d.")
  static var parameters: [any Parameter] {
    [
      OutboxOptions.store, OutboxOptions.type, OutboxOptions.user, maxAge, GlobalOptions.progress,
    ]
  }

  let globals: GlobalOptions
  let store: String
  let scope: OutboxScope
  let maxAge: Duration?

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true)
    store = input[OutboxOptions.store].path
    scope = OutboxScope(
      userID: input[OutboxOptions.user]?.text, eventType: input[OutboxOptions.type])
    maxAge = input[Self.maxAge]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    return try StoreWork(
      globals, .audit,
      orFailing: { path throws(Failure) in
        try access.read(path) { store, connection in
          let (check, now) = (try OutboxCheck(store), Date())
          var scope = scope
          scope.userID = try scope.userID.map { try access.spelling(of: $0, in: store, connection) }
          scope.since = maxAge.map { now.addingTimeInterval(-$0.inSeconds) }
          return OutboxAuditOutcome(
            path: path, findings: try check.findings(at: now, in: scope, connection),
            kinds: OutboxFinding.Kind.allCases,
            states: try check.entityStates(in: scope, connection))
        }
      }
    )
    .run(on: [store], in: terminal)
  }
}
