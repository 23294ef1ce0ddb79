import InputFiles
import SafeText
import CommandLineKit
import OutboxStore
import TerminalOutput

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `outbox cleanup`: removes delivered events, and orphans.
struct OutboxCleanupCommand: Command, Reporting {
  static let name = "cleanup"
  static let abstract = "Remove events that were delivered before a date, or whose entity is gone."
  static let discussion = """
    Events without a delivery date are kept. A snapshot is taken first; 'rollback' restores it.

      outbox-migrate outbox cleanup default.store --older-than 7d
      outbox-migrate outbox cleanup default.store --before 2025-01-31

    With '--orphaned', it removes the events that 'outbox orphans' finds: those that are still to \
    be sent, except deletes, although their entity isn't in the store. Rows that can't be read as \
    events stay.
    """

  static let before = Option<Moment?>(
    "--before", valueName: "date",
    help: "A day or a moment, in ISO 8601; days start at midnight UTC.")
  static let olderThan = Option<Duration?>(
    "--older-than", valueName: "duration",
    help: "Remove events that were delivered longer ago than this, such as 7d.")
  static let orphaned = Flag(
    "--orphaned", help: "Remove events whose entity isn't in the store.")
  static var parameters: [any Parameter] {
    [
      OutboxOptions.store, before, olderThan, orphaned, OutboxOptions.user, OutboxOptions.dryRun,
      GlobalOptions.progress,
    ]
  }

  let globals: GlobalOptions
  let store: String
  let moment: Moment?
  let age: Duration?
  let removesOrphans: Bool
  let user: String?
  let isDryRun: Bool

  init(_ input: borrowing Input) throws(UsageError) {
    globals = GlobalOptions(input, takingLong: true)
    store = input[OutboxOptions.store].path
    moment = input[Self.before]
    age = input[Self.olderThan]
    removesOrphans = input[Self.orphaned]
    user = input[OutboxOptions.user]?.text
    isDryRun = input[OutboxOptions.dryRun]
    if moment != nil && age != nil { throw .exclusive("--before", "--older-than") }
    if moment == nil && age == nil && !removesOrphans {
      throw .refused(
        "'outbox cleanup' needs to know what to remove; give '--before', '--older-than' or "
          + "'--orphaned'")
    }
  }

  /// The date before which delivered events are removed; `nil` if none are.
  private var date: Date? {
    moment?.date ?? age.map { Date().addingTimeInterval(-$0.inSeconds) }
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    return try StoreWork(
      globals, .edit,
      orFailing: { path throws(Failure) in
        let edit = try access.edit(path, as: ["outbox", "cleanup"], isDryRun: isDryRun) {
          store, connection in
          let user = try user.map { try access.spelling(of: $0, in: store, connection) }
          let orphans =
            removesOrphans
            ? try OutboxCheck(store).removeOrphans(ofUser: user, connection) : nil
          return (
            delivered: try date.map {
              try OutboxTable(store).deleteCompleted(olderThan: $0, ofUser: user, connection)
            }, orphans: orphans
          )
        }
        let (delivered, orphans) = edit.result
        return OutboxEdited(
          report: edit.report, isDryRun: isDryRun, warnings: edit.warnings,
          counts: [("removed", (delivered ?? 0) + (orphans ?? 0))]
            + (orphans.map { [("orphaned", $0)] } ?? []),
          sentence: [
            delivered.map {
              sentence($0, "delivered event", "No event was delivered before that date.")
            },
            orphans.map { sentence($0, "orphaned event", "Every event has its entity.") },
          ].compactMap(\.self).joined(separator: " "))
      }
    )
    .run(on: [store], in: terminal)
  }

  private func sentence(_ count: Int, _ event: String, _ nothing: String) -> String {
    count == 0
      ? nothing : "\(count.counted(event)) \(isDryRun ? "would be" : "were") removed."
  }
}
