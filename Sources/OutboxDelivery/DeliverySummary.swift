package import JSONText
import OutboxCore
import Platform

/// What came of a delivery.
package struct DeliverySummary: Hashable, Sendable {
  /// The events that the server has now, by type.
  let delivered: [OutboxEventType: Int]

  /// The attempts that failed, and the events that failed for good.
  let failedAttempts: Int
  let failedForGood: Int

  /// The reasons why attempts failed or were put off, with how often.
  let reasons: [String: Int]

  /// How it stands in the outbox after.
  let statistics: OutboxStatistics

  /// The summary as the main program reads it.
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

/// Counts outcomes while events are being sent.
final class DeliveryTally: Sendable {
  private struct Counts {
    var delivered: [OutboxEventType: Int] = [:]
    var failedAttempts = 0
    var failedForGood = 0
    var reasons: [String: Int] = [:]
  }

  private let counts = Guarded(Counts())

  func note(_ event: OutboxEvent, _ outcome: OutboxProcessorService.Outcome) {
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

  /// Notes a reason that isn't one event's.
  func note(_ reason: String) {
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
