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

    public init(
      batchSize: Int = 10, processingInterval: TimeInterval = 0.1,
      maxConcurrentOperations: Int = 3, retryDelays: [TimeInterval] = OutboxEvent.retryDelays,
      cleanupInterval: TimeInterval = 300, completedRetention: TimeInterval = 86_400
    ) {
      self.batchSize = max(1, batchSize)
      self.processingInterval = processingInterval
      self.maxConcurrentOperations = max(1, maxConcurrentOperations)
      self.retryDelays = retryDelays
      self.cleanupInterval = cleanupInterval
      self.completedRetention = completedRetention
    }

    /// The values of FitIQCore.
    public static let `default` = Configuration()
  }
}
