#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// How many events an outbox has, by status.
package struct OutboxStatistics: Codable, Hashable, Sendable {
  /// All events, also those whose status nobody knows.
  package let totalEvents: Int

  package let pendingCount: Int
  package let processingCount: Int
  package let completedCount: Int
  package let failedCount: Int

  /// The pending events that have waited too long.
  package let staleCount: Int

  /// The moment the oldest pending event was made.
  package let oldestPendingDate: Date?

  /// The moment the last delivery was made.
  package let newestCompletedDate: Date?

  package init(
    totalEvents: Int,
    pendingCount: Int,
    processingCount: Int,
    completedCount: Int,
    failedCount: Int,
    staleCount: Int,
    oldestPendingDate: Date? = nil,
    newestCompletedDate: Date? = nil
  ) {
    self.totalEvents = totalEvents
    self.pendingCount = pendingCount
    self.processingCount = processingCount
    self.completedCount = completedCount
    self.failedCount = failedCount
    self.staleCount = staleCount
    self.oldestPendingDate = oldestPendingDate
    self.newestCompletedDate = newestCompletedDate
  }
}

extension OutboxStatistics {
  /// The completed among all events of a known status, in percent; 100 where there are none.
  ///
  /// FitIQ removes what it delivered, so that its queue shows what is left, not how it went.
  package var successRate: Double {
    let total = pendingCount + processingCount + completedCount + failedCount
    return total == 0 ? 100 : Double(completedCount) / Double(total) * 100
  }

  /// A Boolean value indicating whether somebody should look.
  ///
  /// Anything failed or stale, or more than 20 pending.
  package var hasIssues: Bool { failedCount > 0 || staleCount > 0 || pendingCount > 20 }

  /// The counts on one line.
  package var statusSummary: String {
    "Total: \(totalEvents) | Pending: \(pendingCount) | Processing: \(processingCount) | "
      + "Completed: \(completedCount) | Failed: \(failedCount) | Stale: \(staleCount)"
  }
}
