#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension OutboxProcessorService {
  /// The limits and intervals of a processor.
  public struct Configuration: Hashable, Sendable {
    /// The maximum number of events that are fetched at once and wait in memory.
    public let batchSize: Int

    /// The seconds between two checks for new events.
    public let processingInterval: TimeInterval

    /// The maximum number of events in progress at once.
    public let maxConcurrentOperations: Int

    /// The seconds before each retry; the last value repeats.
    public let retryDelays: [TimeInterval]

    /// The seconds between two removals of delivered events.
    public let cleanupInterval: TimeInterval

    /// The seconds for which a delivered event is kept.
    public let completedRetention: TimeInterval

    /// The largest part by which delays are longer than given; 0.5 for up to half.
    ///
    /// Each start draws one factor, so that many devices don't retry at the same moment after an
    /// outage of their server.
    public let jitter: Double

    /// The seconds that attempts in progress may take to end when the processor is stopped.
    ///
    /// Attempts that take longer are cancelled, and their events go back into the queue.
    public let drainTime: TimeInterval

    public init(
      batchSize: Int = 10, processingInterval: TimeInterval = 0.1,
      maxConcurrentOperations: Int = 3, retryDelays: [TimeInterval] = BackoffPolicy.fitIQ,
      cleanupInterval: TimeInterval = 300, completedRetention: TimeInterval = 86_400,
      jitter: Double = 0, drainTime: TimeInterval = 5
    ) {
      self.batchSize = max(1, batchSize)
      self.processingInterval = processingInterval
      self.maxConcurrentOperations = max(1, maxConcurrentOperations)
      self.retryDelays = retryDelays
      self.cleanupInterval = cleanupInterval
      self.completedRetention = completedRetention
      self.jitter = max(0, jitter)
      self.drainTime = max(0, drainTime)
    }

    /// The values of FitIQCore.
    public static let `default` = Configuration()

    /// Lume's values: a check every 30 s, one event at a time, retries after 2 to 32 s.
    public static let lume = Configuration(
      processingInterval: 30, maxConcurrentOperations: 1, retryDelays: BackoffPolicy.lume)
  }
}
