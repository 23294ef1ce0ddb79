import CommandLineKit
import OutboxCore
import StoreAccess

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  package import Foundation
#endif

/// `outbox reset`: a user's outbox put in order.
struct OutboxResetCommand: Command, Reporting {
  static let name = "reset"
  static let abstract = "Put a user's outbox in order, and lose nothing that is to be sent."
  static let discussion = """
    Removes what is delivered, what is about nothing in the store, and what would make a thing \
    twice. All else stays, deletes too, and starts anew: pending, with all its attempts. Entities \
    that the server doesn't have get an event where they have none. A snapshot is taken first: \
    'rollback' takes it back.
    """

  static let user = Option<String>(
    "--user", valueName: "id", help: "Whose outbox; as the store spells him.")
  static var parameters: [any Parameter] { [OutboxOptions.store, user, OutboxOptions.dryRun] }

  let globals: GlobalOptions
  let store: String
  let user: String
  let isDryRun: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    store = input[OutboxOptions.store]
    user = input[Self.user]
    isDryRun = input[OutboxOptions.dryRun]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    return try StoreWork(
      globals,
      orFailing: { path throws(Failure) in
        let (report, counts) = try access.edit(path, as: ["outbox", "reset"], isDryRun: isDryRun) {
          store, connection in
          try OutboxReset(store).carryOut(forUser: user, at: Date(), connection)
        }
        return OutboxEdited(
          report: report, isDryRun: isDryRun,
          counts: [
            ("delivered", counts.delivered), ("orphaned", counts.orphaned),
            ("doubled", counts.doubled), ("renewed", counts.renewed), ("created", counts.created),
            ("open", counts.open),
          ],
          sentence: counts.sentence(isDryRun: isDryRun))
      }
    )
    .run(on: [store], in: terminal)
  }
}

extension OutboxReset.Counts {
  fileprivate func sentence(isDryRun: Bool) -> String {
    let parts = [
      (delivered, "delivered"), (orphaned, "about nothing"), (doubled, "doubled"),
    ].filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
    let removed = parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    return "\(isDryRun ? "Would remove" : "Removed"): \(removed). "
      + "\(open.counted("event")) to be sent, \(renewed.grouped) of them anew, "
      + "\(created.grouped) made for what the server doesn't have."
  }
}
