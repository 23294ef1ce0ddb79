#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension OutboxProcessorService {
  /// Sends one event, and marks it before and after.
  func attempt(_ event: OutboxEvent, by handler: any OutboxEventHandler) async {
    do {
      try await repository.markAsProcessing(event.id)
    } catch {
      return leave(event, unmarkedFor: error)
    }
    do {
      try await handler.handle(event: event)
    } catch {
      return await end(event, with: error)
    }
    do {
      try await repository.markAsCompleted(event.id)
      tell(event, .delivered)
    } catch {
      // The event stays in processing: the next start sends it again, with the same id.
      leave(event, unmarkedFor: error)
    }
  }

  /// Marks an event whose attempt failed.
  private func end(_ event: OutboxEvent, with error: any Error) async {
    let handling = error as? any OutboxHandlingError
    let message = error.recordedText
    if Task.isCancelled || error is CancellationError {
      return await postpone(event, "the processor was stopped")
    }
    if let seconds = handling?.retryAfter {
      pause(for: seconds)
      return await postpone(event, message)
    }
    let isForGood = handling?.isPermanent ?? false
    do {
      // Later events about the entity wait for this one's retry.
      heldEntities.insert(event.entityID)
      try await repository.markAsFailed(event.id, error: message)
      if isForGood { try await exhaust(event.id) }
      tell(event, .failed(message, forGood: isForGood))
    } catch {
      leave(event, unmarkedFor: error)
    }
  }

  /// Leaves an event unchanged, and pauses, because the outbox can't be written.
  private func leave(_ event: OutboxEvent, unmarkedFor error: any Error) {
    pause(for: 1)
    tell(event, .unmarked(error.recordedText))
  }

  /// Pauses for at least a second, so that the outbox isn't read continuously.
  private func pause(for seconds: TimeInterval) {
    let seconds = (seconds > 1 ? seconds : 1) * stretch
    pausedUntil = max(pausedUntil ?? .distantPast, clock.now.addingTimeInterval(seconds))
  }

  /// Uses up an event's attempts, so that it isn't retried.
  private func exhaust(_ id: UUID) async throws {
    guard var failed = try await repository.fetchEvent(byID: id) else { return }
    failed.attemptCount = max(failed.attemptCount, failed.maxAttempts)
    try await repository.updateEvent(failed)
  }

  /// Writes an event as it was before its attempt, so that the attempt doesn't count.
  private func postpone(_ event: OutboxEvent, _ reason: String) async {
    do {
      try await repository.updateEvent(event)
      isQueueOutdated = true
      tell(event, .postponed(reason))
    } catch {
      leave(event, unmarkedFor: error)
    }
  }
}
