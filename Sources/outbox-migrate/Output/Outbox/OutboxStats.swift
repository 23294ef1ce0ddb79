import PlanWriting
import SafeText
import StoreModel
import SQLite
import JSONText
import StoreMigration
import OutboxCore
import OutboxStore
import StoreProof

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The report of `outbox stats` on one store.
struct OutboxStats: Report {
  /// The maximum number of users to list.
  static let shownUsers = 100

  let path: String
  let total: OutboxStatistics
  let users: [(userID: String?, statistics: OutboxStatistics)]
  let unreadable: Int
  let mask: ValueMask

  /// The entities by type.
  let states: [OutboxEventType: OutboxEntityStates]

  /// The warnings about the store's files.
  let warnings: [PlanWarning]

  var members: [JSONValue.Member] {
    [.init("store", .string(path))] + total.members(mask) + [
      .init("unreadable", JSONValue(unreadable)),
      .init(
        "users",
        JSONValue(users) { user in
          .object([.init("user", .string(mask.user(user.userID)))] + user.statistics.members(mask))
        }),
    ] + states.members + [.init("warnings", JSONValue(warnings) { $0.json })]
  }

  func lines(_ style: Style) -> [String] {
    let issues =
      total.hasIssues ? Cell("yes: failed, stale, or more than 20 pending", .changed) : "none"
    let rows: [[Cell]?] = [
      ["Store", Cell(path)], ["Events", Cell(total.statusSummary)],
      ["Success", Cell("\(total.successRate.percent) completed")], ["Issues", issues],
      mask.text(of: total.oldestPendingDate).map { ["Pending", Cell("since \($0)")] },
      mask.text(of: total.newestCompletedDate).map { ["Completed", Cell("last \($0)")] },
      unreadable == 0
        ? nil : ["Unreadable", Cell("\(unreadable.counted("row")): see 'outbox verify'", .bad)],
    ]
    let head = Columns(rows: rows.compactMap(\.self), indent: 0)
    let table = Columns(
      rows: [
        ["user", "events", "pending", "processing", "completed", "failed", "stale", "success"]
      ]
        + users.map { user in
          [Cell(mask.user(user.userID))] + user.statistics.cells
        }, rightAligned: [1, 2, 3, 4, 5, 6, 7])
    return head.lines(style) + (users.isEmpty ? [] : [""] + table.lines(style))
      + (states.isEmpty ? [] : [""] + states.lines(style).dropLast()) + warnings.section(style)
  }
}

extension OutboxStatistics {
  fileprivate func members(_ mask: ValueMask) -> [JSONValue.Member] {
    [
      .init("totalEvents", JSONValue(totalEvents)),
      .init("pendingCount", JSONValue(pendingCount)),
      .init("processingCount", JSONValue(processingCount)),
      .init("completedCount", JSONValue(completedCount)),
      .init("failedCount", JSONValue(failedCount)), .init("staleCount", JSONValue(staleCount)),
      .init("oldestPendingDate", JSONValue(mask.text(of: oldestPendingDate))),
      .init("newestCompletedDate", JSONValue(mask.text(of: newestCompletedDate))),
      .init("successRate", .double(successRate)), .init("hasIssues", .bool(hasIssues)),
    ]
  }

  fileprivate var cells: [Cell] {
    [totalEvents, pendingCount, processingCount, completedCount, failedCount, staleCount]
      .map { Cell($0.grouped) } + [Cell(successRate.percent)]
  }
}

extension Double {
  /// The percentage, rounded down to a tenth.
  var percent: String {
    let tenths = Int((self * 10).rounded(.down))
    return tenths % 10 == 0 ? "\(tenths / 10)%" : "\(tenths / 10).\(tenths % 10)%"
  }
}

extension ValueMask {
  /// Returns a date of a row if values may be shown.
  fileprivate func text(of date: Date?) -> String? { showsValues ? date?.internetText : nil }

  /// Returns a user's id, or its fingerprint.
  func user(_ userID: String?) -> String {
    userID.map { fingerprint(of: .text($0), named: "SDOutboxEvent.userID").shortText } ?? "nobody"
  }
}

extension ValueFingerprint {
  /// The value if it may be shown, else its fingerprint.
  var shortText: String {
    switch revealed {
    case .text(let text): text
    case .integer(let number): String(number)
    case .real(let number): number.description
    case nil: digits.map { "#" + $0 } ?? kind.rawValue
    }
  }
}
