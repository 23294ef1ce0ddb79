#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The number of events in an outbox, by status.
public struct OutboxStatistics: Codable, Hashable, Sendable {
  /// The number of all events, including those of unknown status.
  public let totalEvents: Int

  public let pendingCount: Int
  public let processingCount: Int
  public let completedCount: Int
  public let failedCount: Int

  /// The number of pending events that have waited too long.
  public let staleCount: Int

  /// The date when the oldest pending event was created.
  public let oldestPendingDate: Date?

  /// The date of the last delivery.
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
  /// The number of events that aren't completed, of known status.
  package var openCount: Int { pendingCount + processingCount + failedCount }

  /// The percentage of completed events among those of known status; 100 without such events.
  ///
  /// FitIQ removes delivered events, so that its rate shows what is left, not what was delivered.
  public var successRate: Double {
    let total = pendingCount + processingCount + completedCount + failedCount
    return total == 0 ? 100 : Double(completedCount) / Double(total) * 100
  }

  /// Whether the outbox needs attention.
  ///
  /// It does if an event has failed or is stale, or if more than 20 are pending.
  public var hasIssues: Bool { failedCount > 0 || staleCount > 0 || pendingCount > 20 }

  /// The counts in one line.
  public var statusSummary: String {
    "Total: \(totalEvents) | Pending: \(pendingCount) | Processing: \(processingCount) | "
      + "Completed: \(completedCount) | Failed: \(failedCount) | Stale: \(staleCount)"
  }
}
