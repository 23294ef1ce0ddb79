import StoreModel
import CommandLineKit
import OutboxStore
import StoreMigration

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `outbox reset`: cleans up a user's outbox.
struct OutboxResetCommand: Command, Reporting {
  static let name = "reset"
  static let abstract =
    "Clean up a user's outbox, without losing a change that is still to be sent."
  static let discussion = """
    Removes delivered events, events whose entity isn't in the store, and events that would \
    create an entity twice. All other events stay, deletes included; failed and interrupted ones \
    are retried with all their attempts. An entity that the server doesn't have gets a new event \
    if no event is about it. A snapshot is taken first; 'rollback' restores it.
    """

  static let user = Option<String>(
    "--user", valueName: "id", help: "The user whose outbox to clean up.")
  static var parameters: [any Parameter] {
    [OutboxOptions.store, user, OutboxOptions.dryRun, GlobalOptions.progress]
  }

  let globals: GlobalOptions
  let store: String
  let user: String
  let isDryRun: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true)
    store = input[OutboxOptions.store].path
    user = input[Self.user]
    isDryRun = input[OutboxOptions.dryRun]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    return try StoreWork(
      globals, .edit,
      orFailing: { path throws(Failure) in
        let edit = try access.edit(path, as: ["outbox", "reset"], isDryRun: isDryRun) {
          store, connection in
          let user = try access.spelling(of: user, in: store, connection)
          return try OutboxReset(store).carryOut(forUser: user, at: Date(), connection)
        }
        let counts = edit.result
        return OutboxEdited(
          report: edit.report, isDryRun: isDryRun, warnings: edit.warnings,
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
      (delivered, "delivered"), (orphaned, "orphaned"), (doubled, "duplicate"),
    ].filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
    let removed = parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    return "\(isDryRun ? "Would remove" : "Removed"): \(removed). "
      + "\(open.grouped) queued: \((open - renewed - created).grouped) already pending, "
      + "\(renewed.grouped) retried, \(created.grouped) new."
  }
}
