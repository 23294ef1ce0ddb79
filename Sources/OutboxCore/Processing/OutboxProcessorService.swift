#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Sends the events of an outbox, several at once, and retries those that failed.
///
/// Every event is sent at least once. It is marked before and after its attempt; if a crash happens
/// in between, it is sent again with the same id, by which the server recognises the repetition.
/// Events about the same entity are never in progress together. An outbox has one processor at a
/// time: events that are in processing when it starts were left by an earlier one.
///
/// # Invariants
///
/// 1. At most `maxConcurrentOperations` events are in progress, no two about the same entity.
/// 2. At most `batchSize` events wait in memory.
/// 3. No event is sent before its retry delay has passed.
/// 4. A free slot is given to the first event of the queue, at the latest after a trigger.
public actor OutboxProcessorService {
  /// Sends events of some types.
  public protocol OutboxEventHandler: Sendable {
    /// Returns whether the handler sends events of a type.
    func canHandle(eventType: OutboxEventType) -> Bool

    /// Sends an event; returns when the server has it, or needs nothing.
    ///
    /// Of a thrown error, the event gets the `errorDescription` of a `LocalizedError`, otherwise the
    /// error's type and code. An ``OutboxHandlingError`` says how to continue.
    func handle(event: OutboxEvent) async throws
  }

  /// The outcome of an attempt.
  public enum Outcome: Hashable, Sendable {
    /// The handler is done with the event, and the event is marked as completed.
    case delivered

    /// The attempt failed; the event is retried later, unless it failed permanently.
    case failed(String, forGood: Bool)

    /// The event is back in the queue, unchanged: the server is busy, or the processor stops.
    case postponed(String)

    /// The event couldn't be marked; if it was sent, it is sent again.
    case unmarked(String)
  }

  let repository: any OutboxRepositoryProtocol
  private(set) var configuration: Configuration
  let clock: any OutboxClock
  let logger: (any OutboxLogger)?
  let executor: (any TaskExecutor)?
  private let report: @Sendable (OutboxEvent, Outcome) -> Void
  private var handlers: [any OutboxEventHandler] = []

  /// The user whose events are sent; `.some(nil)` for all users, `nil` if the processor is stopped.
  var user: String??

  /// The user of a start that was refused; `nil` if none was.
  var refusedUser: String??

  /// The reason why the last start was refused; `nil` if it wasn't.
  public private(set) var startError: OutboxProcessorError?

  /// The factor of all delays since the last start; see ``Configuration/jitter``.
  private(set) var stretch = 1.0

  /// The events that wait for a free slot, in the order of the queue.
  ///
  /// The first can be taken from a slice without moving the others.
  var queue: ArraySlice<OutboxEvent> = []

  /// The events in progress, and their entities.
  var underWay: Set<UUID> = []
  var busyEntities: Set<UUID> = []

  /// The entities of events that failed since the queue was read; their later events wait.
  var heldEntities: Set<UUID> = []

  /// The attempts in progress, by number.
  var attempts: [Int: Task<Void, Never>] = [:]
  var lastAttempt = 0

  /// The date until which no event is started.
  var pausedUntil: Date?

  /// The date when the first retry delay ends.
  var nextDate: Date?

  /// The error of the last reading of the queue; `nil` if it succeeded.
  public internal(set) var queueError: (any Error)?

  /// The state of ``pump()``.
  var isPumping = false
  var isPumpNeeded = false
  var isQueueOutdated = true

  var loops: [Task<Void, Never>] = []

  /// Cancels attempts that take too long to end after a stop.
  var draining: Task<Void, Never>?

  /// The date when the last attempt ended.
  public internal(set) var lastProcessedAt: Date?

  /// The state of ``publish()``.
  var observers: [Int: Observer] = [:]
  var lastObserver = 0
  var pendingEventCount = 0
  var isPublishing = false
  var isStateOutdated = false

  /// Creates a processor that isn't started yet.
  ///
  /// - Parameters:
  ///   - repository: The outbox.
  ///   - configuration: The limits and intervals.
  ///   - clock: The clock.
  ///   - logger: The logger that gets the processor's log lines; `nil` for none.
  ///   - executor: The executor that attempts, and handlers that aren't actors, run on; `nil` for
  ///     Swift's shared threads. Many short attempts take less processor time on one thread.
  ///   - report: A closure that receives the outcome of every attempt, right after it. It is called
  ///     by the processor, which waits for it.
  public init(
    repository: any OutboxRepositoryProtocol, configuration: Configuration = .default,
    clock: any OutboxClock = SystemOutboxClock(), logger: (any OutboxLogger)? = nil,
    executor: (any TaskExecutor)? = nil,
    report: @escaping @Sendable (OutboxEvent, Outcome) -> Void = { _, _ in }
  ) {
    self.repository = repository
    self.configuration = configuration
    self.clock = clock
    self.logger = logger
    self.executor = executor
    self.report = report
  }

  deinit {
    for observer in observers.values { observer.continuation.finish() }
  }

  /// Adds a handler; the first handler that can handle a type gets its events.
  ///
  /// You can add handlers before or after you start the processor. If a start was refused because
  /// there was no handler, the processor starts now.
  public func registerHandler(_ handler: any OutboxEventHandler) {
    handlers.append(handler)
    isQueueOutdated = true
    if let user = refusedUser { startProcessing(forUserID: user) }
  }

  /// Starts sending the events of a user, or of all users, until the processor is stopped.
  ///
  /// Users take turns: events of one priority are sent in rounds, of which each has the oldest event
  /// of every user. Events without a handler stay in the queue, unchanged.
  ///
  /// Without any handler, the start is refused: ``startError`` and the log say so, and the processor
  /// starts when you register the first one.
  public func startProcessing(forUserID userID: String?) {
    stopProcessing()
    guard canStart() else {
      refusedUser = .some(userID)
      return
    }
    user = .some(userID)
    let (interval, cleanup) = (configuration.processingInterval, configuration.cleanupInterval)
    log(.info, "Started; checks for events every \(interval) s.")
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

  /// Starts with another configuration.
  public func startProcessing(forUserID userID: String?, configuration: Configuration) {
    stopProcessing()
    self.configuration = configuration
    startProcessing(forUserID: userID)
  }

  /// Returns whether there is a handler; if not, says so in ``startError`` and the log.
  func canStart() -> Bool {
    stretch = 1 + Double.random(in: 0...configuration.jitter)
    startError = handlers.isEmpty ? .noHandlers : nil
    if let startError { log(.error, startError.description) }
    return startError == nil
  }

  /// Checks for new events now, instead of after the interval.
  public func triggerImmediateProcessing() {
    guard user != nil else {
      return log(.warning, "Can't check for events: \(OutboxProcessorError.notStarted).")
    }
    Task { await self.lookAgain() }
  }

  /// Returns the statistics of the user whose events are sent.
  public func getStatistics() async throws -> OutboxStatistics {
    guard let user else { throw OutboxProcessorError.notStarted }
    return try await repository.getStatistics(forUserID: user)
  }

  /// Removes the events of all users that were delivered long ago.
  private func cleanUp() async {
    let limit = clock.now.addingTimeInterval(-configuration.completedRetention)
    do {
      let count = try await repository.deleteCompletedEvents(olderThan: limit)
      if count > 0 { log(.info, "Removed delivered events.", ["count": "\(count)"]) }
    } catch {
      log(.warning, "Delivered events can't be removed: \(error.recordedText)")
    }
  }

  /// Reports the outcome of an attempt.
  func tell(_ event: OutboxEvent, _ outcome: Outcome) {
    log(event, outcome)
    report(event, outcome)
  }

  /// Returns whether events of a type have a handler.
  package func handles(_ type: OutboxEventType) -> Bool { handler(for: type) != nil }

  /// The event types that have a handler.
  var handledTypes: Set<OutboxEventType> {
    Set(OutboxEventType.allCases.filter { handler(for: $0) != nil })
  }

  /// Returns the handler for events of a type.
  func handler(for type: OutboxEventType) -> (any OutboxEventHandler)? {
    handlers.first { $0.canHandle(eventType: type) }
  }
}

/// A reason why a processor can't do something.
public enum OutboxProcessorError: Error, Hashable, Sendable {
  /// The processor isn't started.
  case notStarted

  /// The processor can't start, because it has no handler.
  case noHandlers

  /// No handler sends events of a type.
  case noHandlerFound(eventType: OutboxEventType)
}

extension OutboxProcessorError: CustomStringConvertible, LocalizedError {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .notStarted: "the processor isn't started"
    case .noHandlers:
      "the processor has no handler, and starts when you register one with 'registerHandler(_:)'"
    case .noHandlerFound(let type): "there is no handler for events of type '\(type.rawValue)'"
    }
  }
}

/// An error of a handler that says how to continue.
public protocol OutboxHandlingError: Error {
  /// Whether another attempt would fail as well.
  var isPermanent: Bool { get }

  /// The seconds to wait before any event is sent, at least one.
  ///
  /// `nil` if only this event is affected.
  var retryAfter: TimeInterval? { get }
}
