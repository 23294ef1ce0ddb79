import CommandLineKit
import OutboxStore
import StoreProof

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
    """

  static var parameters: [any Parameter] { [OutboxOptions.store, GlobalOptions.progress] }

  let globals: GlobalOptions
  let store: String

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true)
    store = input[OutboxOptions.store].path
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    return try StoreWork(
      globals, .audit,
      orFailing: { path throws(Failure) in
        try access.read(path) { store, connection in
          OutboxAuditOutcome(
            path: path, findings: try OutboxCheck(store).findings(at: Date(), connection),
            kinds: OutboxFinding.Kind.allCases)
        }
      }
    )
    .run(on: [store], in: terminal)
  }
}
