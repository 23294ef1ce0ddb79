package import OutboxCore
package import SQLite

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension OutboxTable {
  /// Counts the events of a user, or of all users.
  ///
  /// - Complexity: One pass over the table.
  package func statistics(
    ofUser userID: String? = nil, staleBefore limit: Date, _ connection: borrowing Connection
  ) throws(SQLiteError) -> OutboxStatistics {
    let condition = condition(OutboxSelection(userID: userID))
    var row = try connection.prepare(
      "SELECT \(counts) FROM \(table) WHERE \(condition.sql)")
    try row.bind([limit.stored] + condition.values)
    guard try row.step() else { return OutboxStatistics(empty: ()) }
    return OutboxStatistics(row, from: 0)
  }

  /// Counts the events of each user; users with the most events come first.
  ///
  /// - Parameters:
  ///   - limit: The date before which a pending event is stale.
  ///   - most: The maximum number of users.
  ///   - connection: The store.
  /// - Returns: The users with their counts; `nil` for rows without a user.
  /// - Throws: SQLite's error.
  package func statisticsByUser(
    staleBefore limit: Date, most: Int, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [(userID: String?, statistics: OutboxStatistics)] {
    var row = try connection.prepare(
      """
      SELECT \(self[.userID]), \(counts) FROM \(table) GROUP BY \(self[.userID])
      ORDER BY count(*) DESC, \(self[.userID]) LIMIT \(max(0, most))
      """)
    try row.bind([limit.stored])
    var users: [(userID: String?, statistics: OutboxStatistics)] = []
    while try row.step() {
      users.append((row.string(at: 0), OutboxStatistics(row, from: 1)))
    }
    return users
  }

  private var counts: String {
    let (status, created) = (self[.status], self[.createdAt])
    func total(_ name: OutboxEventStatus, _ more: String = "") -> String {
      "count(*) FILTER (WHERE \(status) = '\(name.rawValue)'\(more))"
    }
    return [
      "count(*)", total(.pending), total(.processing), total(.completed), total(.failed),
      total(.pending, " AND \(created) < ?"),
      "min(\(created)) FILTER (WHERE \(status) = 'pending')",
      "max(\(self[.completedAt])) FILTER (WHERE \(status) = 'completed')",
    ].joined(separator: ", ")
  }
}

extension OutboxStatistics {
  fileprivate init(empty: ()) {
    self.init(
      totalEvents: 0, pendingCount: 0, processingCount: 0, completedCount: 0, failedCount: 0,
      staleCount: 0)
  }

  fileprivate init(_ row: borrowing Statement, from first: Int) {
    func count(_ place: Int) -> Int { Int(row.int64(at: first + place)) }
    func date(_ place: Int) -> Date? {
      switch row.type(at: first + place) {
      case .integer, .real: Date(timeIntervalSinceReferenceDate: row.double(at: first + place))
      case .null, .text, .blob: nil
      }
    }
    self.init(
      totalEvents: count(0), pendingCount: count(1), processingCount: count(2),
      completedCount: count(3), failedCount: count(4), staleCount: count(5),
      oldestPendingDate: date(6), newestCompletedDate: date(7))
  }
}
