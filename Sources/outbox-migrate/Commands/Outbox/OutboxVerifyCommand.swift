import CommandLineKit
import OutboxCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  package import Foundation
#endif

/// `outbox verify`: everything about an outbox that one should look at.
struct OutboxVerifyCommand: Command, Reporting {
  static let name = "verify"
  static let abstract = "Find events that are stuck, orphaned or doubled, and entities without one."
  static let discussion = """
    Looks at every event and at every entity that events are about: rows that can't be read, \
    events that are stuck, stale, exhausted, orphaned or doubled, deletes of what is there or of \
    nothing, entities that the server should hear of, and marks that contradict each other. Exits \
    with 6 if something keeps an event from being delivered, or would be delivered twice.
    """

  static var parameters: [any Parameter] { [OutboxOptions.store] }

  let globals: GlobalOptions
  let store: String

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    store = input[OutboxOptions.store]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    return try StoreWork(
      globals,
      orFailing: { path throws(Failure) in
        try access.look(at: path) { store, connection in
          OutboxAuditOutcome(
            path: path, findings: try OutboxCheck(store).findings(at: Date(), connection),
            kinds: OutboxFinding.Kind.allCases)
        }
      }
    )
    .run(on: [store], in: terminal)
  }
}
