public import OutboxFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Sends the events of an outbox, several at once, and tries again what failed.
///
/// Every event is sent at least once: it is marked before and after, and one that a crash left in
/// between goes out again, under the same id, by which the server knows the repetition. Events
/// about one entity are never under way together. One outbox is for one processor at a time: what
/// is being processed when it starts was left behind.
///
/// # Invariants
///
/// 1. At most `maxConcurrentOperations` events are under way, no two about one entity.
/// 2. At most `batchSize` events wait in memory.
/// 3. No event is sent before its retry delay has passed.
/// 4. A free place is given to the first event of the queue, at the latest after a trigger.
public actor OutboxProcessorService {
  /// Sends events of some types.
  public protocol OutboxEventHandler: Sendable {
    /// Returns whether events of a type are for this one.
    func canHandle(eventType: OutboxEventType) -> Bool

    /// Sends an event; returns when the server has it.
    ///
    /// What it throws is written into the event. An ``OutboxHandlingError`` says how to go on.
    func handle(event: OutboxEvent) async throws
  }

  /// What came of an attempt.
  public enum Outcome: Hashable, Sendable {
    /// The server has the event, and it is marked so.
    case delivered

    /// The attempt failed, and the event is tried again later unless it has failed for good.
    case failed(String, forGood: Bool)

    /// The event went back into the queue as it was: the server is busy, or the processor stops.
    case postponed(String)

    /// The event couldn't be marked; what is sent already is sent again.
    case unmarked(String)
  }

  let repository: any OutboxRepositoryProtocol
  let configuration: Configuration
  let clock: any OutboxClock
  private let report: @Sendable (OutboxEvent, Outcome) -> Void
  private var handlers: [any OutboxEventHandler] = []

  /// Whether the processor runs, and for whom; `.some(nil)` means for all users.
  var user: String??

  /// The events that wait for a free place, in the order of the queue.
  var queue: [OutboxEvent] = []

  /// The events under way, and the entities that they are about.
  var underWay: Set<UUID> = []
  var busyEntities: Set<UUID> = []

  /// The attempts that haven't come to their end, each under a number of its own.
  var attempts: [Int: Task<Void, Never>] = [:]
  var lastAttempt = 0

  /// When the server said that it takes events again.
  var pausedUntil: Date?

  /// When the first event's retry delay passes.
  var nextDate: Date?

  /// What kept the queue from being read, the last time that it was.
  public internal(set) var queueError: (any Error)?

  /// The state of ``pump()``.
  var isPumping = false
  var isPumpNeeded = false
  var isQueueOutdated = true

  private var loops: [Task<Void, Never>] = []

  /// Makes a processor that does nothing yet.
  ///
  /// - Parameters:
  ///   - repository: The outbox.
  ///   - configuration: How many, how often, how long.
  ///   - clock: The time.
  ///   - report: Is told what came of every attempt, right after it.
  public init(
    repository: any OutboxRepositoryProtocol, configuration: Configuration = .default,
    clock: any OutboxClock = SystemOutboxClock(),
    report: @escaping @Sendable (OutboxEvent, Outcome) -> Void = { _, _ in }
  ) {
    self.repository = repository
    self.configuration = configuration
    self.clock = clock
    self.report = report
  }

  /// Adds a handler; the first that can handle a type gets its events.
  public func registerHandler(_ handler: any OutboxEventHandler) {
    handlers.append(handler)
  }

  /// Starts sending the events of a user, or of all, until it is stopped.
  public func startProcessing(forUserID userID: String?) {
    stopProcessing()
    user = .some(userID)
    let (interval, cleanup) = (configuration.processingInterval, configuration.cleanupInterval)
    loops = [
      Task { [weak self] in
        await self?.recover()
        while !Task.isCancelled {
          await self?.lookAgain()
          try? await self?.clock.sleep(for: interval)
        }
      },
      Task { [weak self] in
        while !Task.isCancelled {
          try? await self?.clock.sleep(for: cleanup)
          if !Task.isCancelled { await self?.cleanUp() }
        }
      },
    ]
  }

  /// Stops; what is under way is cancelled and goes back into the queue.
  public func stopProcessing() {
    for task in loops { task.cancel() }
    for task in attempts.values { task.cancel() }
    loops = []
    queue = []
    user = nil
  }

  /// Stops, and returns when nothing is under way any more.
  public func stopAndWait() async {
    stopProcessing()
    await finishAttempts()
  }

  /// Looks for new events at once, where a processor that runs would only look later.
  public func triggerImmediateProcessing() {
    guard user != nil else { return }
    Task { await self.lookAgain() }
  }

  /// Returns the statistics of the user whose events are sent.
  public func getStatistics() async throws -> OutboxStatistics {
    guard let user else { throw OutboxProcessorError.notStarted }
    return try await repository.getStatistics(forUserID: user)
  }

  /// Removes what was delivered long ago, of all users.
  private func cleanUp() async {
    let limit = clock.now.addingTimeInterval(-configuration.completedRetention)
    _ = try? await repository.deleteCompletedEvents(olderThan: limit)
  }

  /// Tells what came of an attempt.
  func tell(_ event: OutboxEvent, _ outcome: Outcome) { report(event, outcome) }

  /// Returns who sends events of a type.
  func handler(for type: OutboxEventType) -> (any OutboxEventHandler)? {
    handlers.first { $0.canHandle(eventType: type) }
  }
}

/// A reason why a processor can't do something.
public enum OutboxProcessorError: Error, Hashable, Sendable {
  case notStarted
  case noHandlerFound(eventType: OutboxEventType)
}

extension OutboxProcessorError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notStarted: "the processor isn't started"
    case .noHandlerFound(let type): "there is no handler for events of type '\(type.rawValue)'"
    }
  }
}

/// An error of a handler that says how to go on.
public protocol OutboxHandlingError: Error {
  /// A Boolean value indicating whether another attempt would fail as well.
  var isPermanent: Bool { get }

  /// The seconds for which the server wants to be left alone, at least one.
  ///
  /// Nil where it is only this event.
  var retryAfter: TimeInterval? { get }
}
