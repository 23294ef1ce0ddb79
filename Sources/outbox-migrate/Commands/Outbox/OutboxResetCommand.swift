import InputFiles
import StoreModel
import SafeText
import CommandLineKit
import OutboxStore
import StoreMigration
import TerminalOutput

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

    With '--discard-events', all of the user's events are removed, also those that are still to \
    be sent, and the report says which requests the server doesn't get. '--dry-run' says it \
    before. Entities stay: a later 'outbox reset' makes events for those that the server doesn't \
    have, but not for changes and deletes.
    """

  static let user = Option<String>(
    "--user", valueName: "id", help: "The user whose outbox to clean up.")
  static let discardEvents = Flag(
    "--discard-events", help: "Remove all events, also those that are still to be sent.")
  static var parameters: [any Parameter] {
    [OutboxOptions.store, user, discardEvents, OutboxOptions.dryRun, GlobalOptions.progress]
  }

  let globals: GlobalOptions
  let store: String
  let user: String
  let discardsEvents: Bool
  let isDryRun: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true)
    store = input[OutboxOptions.store].path
    user = input[Self.user]
    discardsEvents = input[Self.discardEvents]
    isDryRun = input[OutboxOptions.dryRun]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    return try StoreWork(
      globals, .edit,
      orFailing: { path throws(Failure) in
        if discardsEvents { return try discard(path, access) }
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

  private func discard(_ path: String, _ access: OutboxAccess) throws(Failure) -> OutboxEdited {
    let edit = try access.edit(path, as: ["outbox", "reset"], isDryRun: isDryRun) {
      store, connection in
      let user = try access.spelling(of: user, in: store, connection)
      return try OutboxDiscard.carryOut(on: store, forUser: user, connection)
    }
    let lost = edit.result.lost
    let kinds = lost.requests.values.reduce(into: (create: 0, update: 0, delete: 0)) {
      $0.create += $1.create
      $0.update += $1.update
      $0.delete += $1.delete
    }
    let verb = isDryRun ? "would be" : "were"
    return OutboxEdited(
      report: edit.report, isDryRun: isDryRun, warnings: edit.warnings,
      counts: [
        ("removed", edit.result.removed), ("unsent", lost.open), ("lost_creates", kinds.create),
        ("lost_updates", kinds.update), ("lost_deletes", kinds.delete),
      ],
      sentence: "\(edit.result.removed.counted("event")) \(verb) removed, of which "
        + "\(lost.open.grouped) weren't sent. The server doesn't get "
        + "\(kinds.create.counted("create")), \(kinds.update.counted("update")), "
        + "\(kinds.delete.counted("delete"))."
        + (isDryRun || lost.open == 0 ? "" : " 'rollback' restores the events."))
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
