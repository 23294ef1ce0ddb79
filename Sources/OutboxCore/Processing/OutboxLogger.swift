#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The importance of a log line; the raw values are those of swift-log's `Logger.Level`.
public enum OutboxLogLevel: String, CaseIterable, Hashable, Sendable {
  case trace, debug, info, notice, warning, error, critical
}

/// Receives the log lines of a processor.
///
/// The function has the shape of swift-log's `Logger.log(level:_:metadata:)`. Lines contain no values
/// of rows but event ids, which are in `metadata`.
public protocol OutboxLogger: Sendable {
  /// Writes a line.
  ///
  /// - Parameters:
  ///   - level: The importance.
  ///   - message: A sentence.
  ///   - metadata: Values by name: `event` (the event's id), `type`, `attempt`, `count`.
  func log(level: OutboxLogLevel, message: String, metadata: [String: String])
}

extension OutboxProcessorService {
  /// Writes a log line, if there is a logger.
  func log(
    _ level: OutboxLogLevel, _ message: @autoclosure () -> String,
    _ metadata: @autoclosure () -> [String: String] = [:]
  ) {
    logger?.log(level: level, message: message(), metadata: metadata())
  }

  /// Writes a log line about an attempt.
  func log(_ event: OutboxEvent, _ outcome: Outcome) {
    let name = event.eventType.displayName
    let metadata = { [attempt = attemptNumber(of: event)] in
      [
        "event": event.id.uuidString, "type": event.eventType.rawValue, "attempt": "\(attempt)",
      ]
    }
    switch outcome {
    case .delivered: log(.info, "Delivered: \(name).", metadata())
    case .failed(let reason, forGood: true):
      log(.error, "Failed, and isn't retried: \(name): \(reason)", metadata())
    case .failed(let reason, forGood: false):
      log(
        .warning,
        "Attempt \(attemptNumber(of: event)) of \(event.maxAttempts) failed: \(name): \(reason)",
        metadata())
    case .postponed(let reason): log(.notice, "Postponed: \(name): \(reason)", metadata())
    case .unmarked(let reason):
      log(.error, "The outbox can't be written: \(name): \(reason)", metadata())
    }
  }

  private func attemptNumber(of event: OutboxEvent) -> Int { event.attemptCount + 1 }
}
