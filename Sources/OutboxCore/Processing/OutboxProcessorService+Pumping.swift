#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension OutboxProcessorService {
  /// Starts waiting events until there is no free slot or no event left.
  ///
  /// It is called when a slot becomes free, and when there may be new events. A call during another
  /// call makes the other call continue.
  func pump() async {
    if isPumping {
      isPumpNeeded = true
      return
    }
    isPumping = true
    defer { isPumping = false }
    repeat {
      isPumpNeeded = false
      guard await refill() else { return }
      while let (event, handler) = takeNext() { start(event, handler) }
    } while isPumpNeeded
  }

  /// Checks for newer events, and starts waiting events.
  func lookAgain() async {
    isQueueOutdated = true
    await pump()
    await publish()
  }

  /// Sends all events to be sent, and waits for retries.
  ///
  /// It returns when no event is left that becomes due in time. Events without a handler stay as they
  /// are; without any handler, nothing is done but to set ``startError``. Cancelling the calling task
  /// cancels attempts in progress, whose events go back into the queue.
  ///
  /// - Parameters:
  ///   - userID: The user; `nil` for all users.
  ///   - patience: The seconds, from the start, during which to wait for retries.
  public func processAll(forUserID userID: String? = nil, waiting patience: TimeInterval) async {
    stopProcessing()
    await finishAttempts()
    guard canStart() else { return }
    user = .some(userID)
    await withTaskCancellationHandler {
      await recover()
      let deadline = clock.now.addingTimeInterval(patience)
      while user != nil, !Task.isCancelled {
        await lookAgain()
        await finishAttempts()
        guard let next = wakeDate, next <= deadline else { break }
        try? await clock.sleep(for: next.timeIntervalSince(clock.now))
      }
    } onCancel: {
      Task { await self.stopProcessing(drainingFor: 0) }
    }
    await finishAttempts()
    user = nil
    await publish()
  }

  /// The date when a retry is due or a pause ends; `nil` if neither is expected.
  private var wakeDate: Date? {
    let pause = pausedUntil.flatMap { $0 > clock.now ? $0 : nil }
    if let pause, !queue.isEmpty { return pause }
    return nextDate.map { max($0, pause ?? $0) }
  }

  /// Waits until no attempt is in progress.
  func finishAttempts() async {
    while let task = attempts.values.first { await task.value }
  }

  /// Puts events that an earlier processor left in processing back into the queue.
  func recover() async {
    guard let user else { return }
    while true {
      do {
        let left = try await repository.fetchEvents(
          withStatus: .processing, forUserID: user, limit: configuration.batchSize)
        let stuck = left.filter { !underWay.contains($0.id) }
        if stuck.isEmpty { return }
        for var event in stuck {
          event.status = .pending
          try await repository.updateEvent(event)
        }
      } catch {
        queueError = error
        return
      }
    }
  }

  /// Fetches events if no event waits or newer ones may come first; returns whether to continue.
  private func refill() async -> Bool {
    guard let user else { return false }
    guard isQueueOutdated || queue.allSatisfy({ heldEntities.contains($0.entityID) }) else {
      return true
    }
    isQueueOutdated = false
    // An attempt that ends while the queue is read may be read as an event that is still to be sent.
    var known = underWay
    let settled = heldEntities.subtracting(busyEntities)
    do {
      let due = try await repository.fetchDueEvents(
        forUserID: user, ofTypes: handledTypes,
        limit: configuration.batchSize + underWay.count, at: clock.now,
        retryDelays: configuration.retryDelays.map { $0 * stretch })
      // The processor may have been stopped while it waited.
      guard self.user != nil else { return false }
      heldEntities.subtract(settled)
      queue = due.events.filter { known.insert($0.id).inserted }.prefix(configuration.batchSize)
      nextDate = due.nextDate
      queueError = nil
      if !queue.isEmpty {
        log(.debug, "Processing pending events.", ["count": "\(queue.count)"])
      }
      return true
    } catch {
      queue = []
      queueError = error
      log(.error, "The outbox can't be read: \(error.recordedText)")
      return false
    }
  }

  /// Removes and returns the first event in the queue that may start now.
  private func takeNext() -> (OutboxEvent, any OutboxEventHandler)? {
    if let pausedUntil, pausedUntil > clock.now { return nil }
    guard underWay.count < configuration.maxConcurrentOperations,
      let place = queue.firstIndex(where: {
        !busyEntities.contains($0.entityID) && !heldEntities.contains($0.entityID)
      })
    else { return nil }
    let event = place == queue.startIndex ? queue.removeFirst() : queue.remove(at: place)
    // A repository may return events of other types, too; they stay as they are.
    return handler(for: event.eventType).map { (event, $0) } ?? takeNext()
  }

  private func start(_ event: OutboxEvent, _ handler: any OutboxEventHandler) {
    underWay.insert(event.id)
    busyEntities.insert(event.entityID)
    lastAttempt += 1
    let number = lastAttempt
    attempts[number] = Task(executorPreference: executor) {
      await self.attempt(event, by: handler)
      await self.end(attempt: number, event)
    }
  }

  /// Frees the slot of an attempt that has ended, for the next event.
  private func end(attempt number: Int, _ event: OutboxEvent) async {
    underWay.remove(event.id)
    busyEntities.remove(event.entityID)
    lastProcessedAt = clock.now
    await pump()
    await publish()
    // Last, so that `finishAttempts()` also waits for the attempts that this one has started.
    attempts[number] = nil
    if attempts.isEmpty { draining?.cancel() }
  }
}
