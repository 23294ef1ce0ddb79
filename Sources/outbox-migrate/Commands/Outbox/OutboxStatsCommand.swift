import CommandLineKit
import InputFiles
import OutboxCore
import OutboxStore
import StoreFormat
import StoreMigration
import StoreProof
import TerminalOutput

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `outbox stats`: counts the events of a store.
struct OutboxStatsCommand: Command, Reporting {
  static let name = "stats"
  static let abstract = "Count the events of a store's outbox, and report issues."
  static let discussion = """
    Shows the counts by status and the success rate, in total and for each user. Issues are \
    failed events, stale events, and more than 20 pending events. An event is stale if it has been \
    pending for 5 minutes in FitIQ, or for 1 hour in Lume.

    It also counts the entities that events can be about, by their sync status.
    """

  static var parameters: [any Parameter] {
    [OutboxOptions.store, OutboxOptions.user, OutboxOptions.showsValues, GlobalOptions.progress]
  }

  let globals: GlobalOptions
  let store: String
  let user: String?
  let showsValues: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true)
    store = input[OutboxOptions.store].path
    user = input[OutboxOptions.user]?.text
    showsValues = input[OutboxOptions.showsValues]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    return try StoreWork(
      globals, .stats,
      orFailing: { path throws(Failure) in
        try access.read(path) { store, connection in
          let table = try OutboxTable(store)
          let user = try user.map { try access.spelling(of: $0, in: store, connection) }
          let limit = Date().addingTimeInterval(-OutboxRules(of: store).staleThreshold)
          return OutboxStats(
            path: path,
            total: try table.statistics(ofUser: user, staleBefore: limit, connection),
            users: user == nil
              ? try table.statisticsByUser(
                staleBefore: limit, most: OutboxStats.shownUsers, connection) : [],
            unreadable: try table.unreadableCount(connection),
            mask: ValueMask(of: [store], showsValues: showsValues),
            states: try OutboxCheck(store)
              .entityStates(in: OutboxScope(userID: user), connection),
            warnings: StoreFiles.warnings(about: path))
        }
      }
    )
    .run(on: [store], in: terminal)
  }
}
