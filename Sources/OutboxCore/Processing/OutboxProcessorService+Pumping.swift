import OutboxFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension OutboxProcessorService {
  /// Gives free places to events until there are no more of either.
  ///
  /// Whoever frees a place or knows of new events calls it; a call during another is made up for by
  /// that one.
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
      while let event = takeNext() { start(event) }
    } while isPumpNeeded
  }

  /// Looks for newer events before it gives places to those that wait.
  func lookAgain() async {
    isQueueOutdated = true
    await pump()
  }

  /// Sends everything that is to be sent, and waits for retries.
  ///
  /// It returns when nothing is left that comes up in time.
  ///
  /// Cancelling the task that calls it stops the processor.
  ///
  /// - Parameters:
  ///   - userID: The user; nil for all.
  ///   - patience: The seconds after which no more retry is waited for.
  public func processAll(forUserID userID: String? = nil, waiting patience: TimeInterval) async {
    stopProcessing()
    await finishAttempts()
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
      Task { await self.stopProcessing() }
    }
    await finishAttempts()
    user = nil
  }

  /// When there is something to do again: a retry is due, or the server takes events again.
  private var wakeDate: Date? {
    let pause = pausedUntil.flatMap { $0 > clock.now ? $0 : nil }
    if let pause, !queue.isEmpty { return pause }
    return nextDate.map { max($0, pause ?? $0) }
  }

  /// Waits until nothing is under way.
  func finishAttempts() async {
    while let task = attempts.values.first { await task.value }
  }

  /// Puts events back into the queue that an earlier processor left in the middle of an attempt.
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

  /// Fetches events where none wait or newer ones may come first; returns whether to go on.
  private func refill() async -> Bool {
    guard let user else { return false }
    guard isQueueOutdated || queue.isEmpty else { return true }
    isQueueOutdated = false
    do {
      let due = try await repository.fetchDueEvents(
        forUserID: user, limit: configuration.batchSize + underWay.count, at: clock.now,
        retryDelays: configuration.retryDelays)
      // The processor may have been stopped while it waited.
      guard self.user != nil else { return false }
      var known = underWay
      queue = Array(
        due.events.filter { known.insert($0.id).inserted }.prefix(configuration.batchSize))
      nextDate = due.nextDate
      queueError = nil
      return true
    } catch {
      queue = []
      queueError = error
      return false
    }
  }

  /// Takes the first event out of the queue that may be started now.
  private func takeNext() -> OutboxEvent? {
    if let pausedUntil, pausedUntil > clock.now { return nil }
    guard underWay.count < configuration.maxConcurrentOperations,
      let place = queue.firstIndex(where: { !busyEntities.contains($0.entityID) })
    else { return nil }
    return queue.remove(at: place)
  }

  private func start(_ event: OutboxEvent) {
    underWay.insert(event.id)
    busyEntities.insert(event.entityID)
    lastAttempt += 1
    let number = lastAttempt
    attempts[number] = Task {
      await attempt(event)
      underWay.remove(event.id)
      busyEntities.remove(event.entityID)
      await pump()
      // Only now: who waits for the attempts waits for what this one set going, too.
      attempts[number] = nil
    }
  }
}
