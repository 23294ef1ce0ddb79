import CommandLineKit
import OutboxCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  package import Foundation
#endif

/// `outbox stats`: how many events a store has, and how they fare.
struct OutboxStatsCommand: Command, Reporting {
  static let name = "stats"
  static let abstract = "Count the events of a store's outbox, and say whether there are issues."
  static let discussion = """
    Counts by status, the success rate, and the same for each user. Issues are failed events, \
    stale ones, or more than 20 that are pending.
    """

  static var parameters: [any Parameter] {
    [OutboxOptions.store, OutboxOptions.user, OutboxOptions.showsValues]
  }

  let globals: GlobalOptions
  let store: String
  let user: String?
  let showsValues: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    store = input[OutboxOptions.store]
    user = input[OutboxOptions.user]?.text
    showsValues = input[OutboxOptions.showsValues]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    return try StoreWork(
      globals,
      orFailing: { path throws(Failure) in
        try access.look(at: path) { store, connection in
          let table = try OutboxTable(store)
          let limit = Date().addingTimeInterval(-OutboxRules(of: store).staleThreshold)
          return OutboxStats(
            path: path,
            total: try table.statistics(ofUser: user, staleBefore: limit, connection),
            users: user == nil
              ? try table.statisticsByUser(
                staleBefore: limit, most: OutboxStats.shownUsers, connection) : [],
            unreadable: try table.unreadableCount(connection), showsValues: showsValues)
        }
      }
    )
    .run(on: [store], in: terminal)
  }
}
