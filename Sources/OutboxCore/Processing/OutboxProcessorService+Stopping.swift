#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension OutboxProcessorService {
  /// Stops: no other event is started.
  ///
  /// Attempts in progress may end within ``Configuration/drainTime``. Later ones are cancelled, and
  /// their events go back into the queue.
  public func stopProcessing() { stopProcessing(drainingFor: configuration.drainTime) }

  /// Stops, and waits until no attempt is in progress.
  public func stopAndWait() async {
    stopProcessing()
    await finishAttempts()
  }

  func stopProcessing(drainingFor seconds: TimeInterval) {
    refusedUser = nil
    for task in loops { task.cancel() }
    loops = []
    queue = []
    if user != nil { log(.info, "Stopped.", ["in_progress": "\(attempts.count)"]) }
    user = nil
    if !observers.isEmpty { Task { await self.publish() } }
    let left = attempts
    draining?.cancel()
    guard !left.isEmpty, seconds > 0 else {
      for task in left.values { task.cancel() }
      return
    }
    draining = Task { [clock] in
      try? await clock.sleep(for: seconds)
      // A cancelled wait means that all attempts have ended, or that a later stop waits for them.
      if !Task.isCancelled { for task in left.values { task.cancel() } }
    }
  }
}
