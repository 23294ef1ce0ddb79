package import JSONText
import OutboxCore
import OutboxFormat
import Platform

/// The result of a delivery.
package struct DeliverySummary: Hashable, Sendable {
  /// The number of delivered events by type.
  let delivered: [OutboxEventType: Int]

  /// The number of failed attempts, and of events that failed permanently.
  let failedAttempts: Int
  let failedForGood: Int

  /// The number of occurrences of each reason for a failure or delay.
  let reasons: [String: Int]

  /// The state of the outbox after the delivery.
  let statistics: OutboxStatistics

  /// The summary in the format that the main program reads.
  package var json: JSONValue {
    [
      "delivered": .object(
        OutboxEventType.allCases.compactMap { type in
          delivered[type].map { .init(type.rawValue, JSONValue($0)) }
        }),
      "failed_attempts": JSONValue(failedAttempts), "failed_for_good": JSONValue(failedForGood),
      "reasons": JSONValue(reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }) {
        ["message": .string($0.key), "count": JSONValue($0.value)]
      },
      "pending": JSONValue(statistics.pendingCount + statistics.processingCount),
      "failed": JSONValue(statistics.failedCount),
    ]
  }
}

/// Counts the outcomes of events during a delivery.
final class DeliveryTally: Sendable {
  private struct Counts {
    var delivered: [OutboxEventType: Int] = [:]
    var failedAttempts = 0
    var failedForGood = 0
    var reasons: [String: Int] = [:]
  }

  private let counts = Guarded(Counts())

  func record(_ event: OutboxEvent, _ outcome: OutboxProcessorService.Outcome) {
    counts.withLock { counts in
      switch outcome {
      case .delivered: counts.delivered[event.eventType, default: 0] += 1
      case .failed(let reason, let isForGood):
        counts.failedAttempts += 1
        counts.failedForGood += isForGood ? 1 : 0
        counts.reasons[reason, default: 0] += 1
      case .postponed(let reason), .unmarked(let reason):
        counts.reasons[reason, default: 0] += 1
      }
    }
  }

  /// Records a reason that doesn't belong to one event.
  func record(_ reason: String) {
    counts.withLock { $0.reasons[reason, default: 0] += 1 }
  }

  func summary(_ statistics: OutboxStatistics) -> DeliverySummary {
    counts.withLock { counts in
      DeliverySummary(
        delivered: counts.delivered, failedAttempts: counts.failedAttempts,
        failedForGood: counts.failedForGood, reasons: counts.reasons, statistics: statistics)
    }
  }
}
