package import JSONText
import OutboxCore
import OutboxStore
import Platform

/// The result of a delivery.
///
/// Without concurrent writers, ``open`` is the sum of the accepted events, those completed without
/// sending, and those that ``statistics`` counts as open.
package struct DeliverySummary: Hashable, Sendable {
  /// The counts of outcomes.
  let counts: DeliveryTally.Counts

  /// The state of the outbox after the delivery.
  let statistics: OutboxStatistics

  /// Whether a signal ended the delivery.
  let isStopped: Bool

  /// The summary in the format that the main program reads.
  package var json: JSONValue {
    [
      "open": JSONValue(counts.open),
      "delivered": .object(
        OutboxEventType.allCases.compactMap { type in
          counts.delivered[type].map { .init(type.rawValue, JSONValue($0)) }
        }),
      "completed_without_sending": JSONValue(counts.completedUnsent),
      "failed_attempts": JSONValue(counts.failedAttempts),
      "failed_for_good": JSONValue(counts.failedForGood),
      "file_failures": JSONValue(counts.fileFailures),
      "reasons": JSONValue(counts.reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }) {
        ["message": .string($0.key), "count": JSONValue($0.value)]
      },
      "pending": JSONValue(statistics.pendingCount + statistics.processingCount),
      "failed": JSONValue(statistics.failedCount), "stopped": .bool(isStopped),
    ]
  }
}
