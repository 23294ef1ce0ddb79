#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How many events an outbox has, by status.
public struct OutboxStatistics: Codable, Hashable, Sendable {
  /// All events, also those whose status nobody knows.
  public let totalEvents: Int

  public let pendingCount: Int
  public let processingCount: Int
  public let completedCount: Int
  public let failedCount: Int

  /// The pending events that have waited too long.
  public let staleCount: Int

  /// The moment the oldest pending event was made.
  public let oldestPendingDate: Date?

  /// The moment the last delivery was made.
  public let newestCompletedDate: Date?

  public init(
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
  public var successRate: Double {
    let total = pendingCount + processingCount + completedCount + failedCount
    return total == 0 ? 100 : Double(completedCount) / Double(total) * 100
  }

  /// A Boolean value indicating whether somebody should look.
  ///
  /// Anything failed or stale, or more than 20 pending.
  public var hasIssues: Bool { failedCount > 0 || staleCount > 0 || pendingCount > 20 }

  /// The counts on one line.
  public var statusSummary: String {
    "Total: \(totalEvents) | Pending: \(pendingCount) | Processing: \(processingCount) | "
      + "Completed: \(completedCount) | Failed: \(failedCount) | Stale: \(staleCount)"
  }
}
