public import Observation

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The state of a processor for views, which follow its properties by Observation.
@MainActor @Observable
public final class OutboxProcessorStatus {
  /// Whether the processor is started.
  public private(set) var isProcessing = false

  /// The number of events in progress.
  public private(set) var eventsInProgress = 0

  /// The number of events to be sent: pending, or failed with attempts left.
  public private(set) var pendingEventCount = 0

  /// The date when the last attempt ended.
  public private(set) var lastProcessedAt: Date?

  @ObservationIgnored private var following: Task<Void, Never>?

  /// Creates a status that follows a processor until either of them is destroyed.
  public init(of processor: OutboxProcessorService) {
    following = Task { [weak self, weak processor] in
      guard let states = await processor?.states() else { return }
      for await state in states {
        guard let self else { return }
        self.show(state)
      }
    }
  }

  deinit { following?.cancel() }

  /// Sets only what has changed, because every setting updates the views.
  private func show(_ state: OutboxProcessorService.State) {
    if isProcessing != state.isProcessing { isProcessing = state.isProcessing }
    if eventsInProgress != state.eventsInProgress { eventsInProgress = state.eventsInProgress }
    if pendingEventCount != state.pendingEventCount { pendingEventCount = state.pendingEventCount }
    if lastProcessedAt != state.lastProcessedAt { lastProcessedAt = state.lastProcessedAt }
  }
}
