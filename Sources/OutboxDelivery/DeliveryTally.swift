import OutboxCore
import OutboxStore
import Platform

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Counts the outcomes of events during a delivery.
package final class DeliveryTally: Sendable {
  /// The counts.
  struct Counts: Hashable {
    /// The number of events that weren't completed when the delivery began.
    let open: Int

    /// The number of events that the server accepted, by type.
    var delivered: [OutboxEventType: Int] = [:]

    /// The number of events that needed no request.
    var completedUnsent = 0

    /// The number of failed attempts, and of events that failed permanently.
    var failedAttempts = 0
    var failedForGood = 0

    /// The number of times that the store or the token file couldn't be read or written.
    var fileFailures = 0

    /// The number of occurrences of each reason for a failure or delay.
    var reasons: [String: Int] = [:]

    /// The events in progress that need no request.
    var unsent: Set<UUID> = []

    /// The number of events that the server accepted.
    var deliveredCount: Int { delivered.values.reduce(0, +) }

    /// The number of events that don't need another attempt.
    var endedCount: Int { deliveredCount + completedUnsent + failedForGood }
  }

  private let guarded: Guarded<Counts>

  init(open: Int) {
    guarded = Guarded(Counts(open: open))
  }

  /// The counts so far.
  var counts: Counts { guarded.withLock { $0 } }

  /// Records that an event needs no request, before its outcome is recorded.
  func recordUnsent(_ event: OutboxEvent) {
    guarded.withLock { _ = $0.unsent.insert(event.id) }
  }

  func record(_ event: OutboxEvent, _ outcome: OutboxProcessorService.Outcome) {
    guarded.withLock { counts in
      let isUnsent = counts.unsent.remove(event.id) != nil
      switch outcome {
      case .delivered where isUnsent: counts.completedUnsent += 1
      case .delivered: counts.delivered[event.eventType, default: 0] += 1
      case .failed(let reason, let isForGood):
        counts.failedAttempts += 1
        counts.failedForGood += isForGood ? 1 : 0
        counts.reasons[reason, default: 0] += 1
      case .postponed(let reason): counts.reasons[reason, default: 0] += 1
      case .unmarked(let reason):
        counts.fileFailures += 1
        counts.reasons[reason, default: 0] += 1
      }
    }
  }

  /// Records that the store or the token file can't be read or written.
  func recordFileFailure(_ reason: String) {
    guarded.withLock { counts in
      counts.fileFailures += 1
      counts.reasons[reason, default: 0] += 1
    }
  }

  /// Records events that stay in the queue because no request is known for their type.
  func recordUnhandled(_ type: OutboxEventType, count: Int) {
    guard count > 0 else { return }
    let reason = OutboxProcessorError.noHandlerFound(eventType: type).description
    guarded.withLock { $0.reasons[reason, default: 0] += count }
  }

  func summary(_ statistics: OutboxStatistics, isStopped: Bool) -> DeliverySummary {
    DeliverySummary(counts: counts, statistics: statistics, isStopped: isStopped)
  }
}
