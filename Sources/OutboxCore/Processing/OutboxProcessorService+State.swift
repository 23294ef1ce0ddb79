#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension OutboxProcessorService {
  /// The state of a processor at one moment.
  public struct State: Hashable, Sendable {
    /// Whether the processor is started.
    public let isProcessing: Bool

    /// The number of events in progress.
    public let eventsInProgress: Int

    /// The number of events to be sent: pending, or failed with attempts left.
    ///
    /// They are those of the processor's user; those of all users if the processor isn't started.
    public let pendingEventCount: Int

    /// The date when the last attempt ended.
    public let lastProcessedAt: Date?
  }

  /// A consumer of ``states()``, with the last state that it got.
  struct Observer {
    let continuation: AsyncStream<State>.Continuation
    var last: State?
  }

  /// Whether the processor is started.
  public var isProcessing: Bool { user != nil }

  /// Returns the present state; counts the events to be sent.
  ///
  /// - Throws: The repository's error.
  public func state() async throws -> State {
    state(counting: try await repository.countPendingEvents(forUserID: user ?? nil))
  }

  /// Returns the states of the processor from now on, without repetitions.
  ///
  /// The sequence begins with the present state, and ends with the processor. A consumer that is
  /// slow gets the newest state only. While there is a consumer, the events to be sent are counted at
  /// every check for new events, and after every attempt.
  public func states() -> AsyncStream<State> {
    lastObserver += 1
    let number = lastObserver
    let (states, continuation) = AsyncStream.makeStream(
      of: State.self, bufferingPolicy: .bufferingNewest(1))
    continuation.onTermination = { [weak self] _ in
      Task { await self?.removeObserver(number) }
    }
    observers[number] = Observer(continuation: continuation)
    Task { await self.publish() }
    return states
  }

  /// Sends the present state to the observers, if it has changed.
  func publish() async {
    isStateOutdated = true
    guard !observers.isEmpty, !isPublishing else { return }
    isPublishing = true
    defer { isPublishing = false }
    while isStateOutdated {
      isStateOutdated = false
      // If the outbox can't be read, the last count is the best one.
      if let count = try? await repository.countPendingEvents(forUserID: user ?? nil) {
        pendingEventCount = count
      }
      let state = state(counting: pendingEventCount)
      for (number, observer) in observers where observer.last != state {
        observers[number]?.last = state
        observer.continuation.yield(state)
      }
    }
  }

  private func state(counting count: Int) -> State {
    State(
      isProcessing: isProcessing, eventsInProgress: underWay.count, pendingEventCount: count,
      lastProcessedAt: lastProcessedAt)
  }

  private func removeObserver(_ number: Int) { observers[number] = nil }
}
