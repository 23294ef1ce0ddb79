import JSONText
import OutboxCore
import OutboxStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Tries a server with one invented entity: creates it, checks what came back, and removes it.
///
/// Each request is sent once. The store's file stays locked, and what the test added is removed at
/// the end, whatever failed before.
struct SyncTestRun {
  /// A step that was tried, with the reason if it failed.
  private struct Step {
    let name: String
    let reason: String?

    /// Whether the server may have done it all the same.
    var mayBeDone = false
  }

  private let repository: StoreOutboxRepository
  private let handler: BackendEventHandler

  init(
    _ repository: StoreOutboxRepository, _ backend: HTTPBackend, _ tally: DeliveryTally
  ) {
    self.repository = repository
    handler = BackendEventHandler(backend, repository, tally)
  }

  /// Carries out the test, and returns its steps in the format that the main program reads.
  ///
  /// If the task is cancelled, requests fail, but what was added is still removed.
  func steps(forUserID userID: String?) async -> JSONValue {
    var steps: [Step] = []
    var left: String?
    var type: OutboxEventType?
    do {
      // A killed test leaves its event.
      _ = try await repository.removeSyncTests()
      let event = try await repository.addSyncTest(forUserID: userID)
      type = event.eventType
      let sent = await attempt("send", event)
      steps.append(sent)
      if sent.reason == nil {
        left = try await repository.backendID(ofEntityOf: event)
        steps.append(await check(event, backendID: left))
      }
      if let id = left {
        let deletion = try await repository.addSyncTestDeletion(of: event, backendID: id)
        // A stop signal cancels this task; the server still has the entity.
        let deleted = await Task.detached { await attempt("delete", deletion) }.value
        steps.append(deleted)
        if deleted.reason == nil { left = nil }
      }
    } catch {
      steps.append(Step(name: "create", reason: error.recordedText))
    }
    steps.append(await remove())
    return json(steps, type, left: left)
  }

  /// Sends an event once, and marks it as the processor does.
  private func attempt(_ name: String, _ event: OutboxEvent) async -> Step {
    do {
      try await repository.markAsProcessing(event.id)
      do {
        try await handler.handle(event: event)
      } catch {
        let reason = error.recordedText
        try await repository.markAsFailed(event.id, error: reason)
        return Step(
          name: name, reason: reason, mayBeDone: (error as? HTTPError)?.mayBeDone ?? true)
      }
      try await repository.markAsCompleted(event.id)
      return Step(name: name, reason: nil)
    } catch {
      return Step(name: name, reason: error.recordedText)
    }
  }

  private func check(_ event: OutboxEvent, backendID: String?) async -> Step {
    let stored = try? await repository.fetchEvent(byID: event.id)
    let reason: String? =
      stored?.status != .completed
      ? "the event isn't completed in the store"
      : backendID == nil ? "the server's response contains no id for the entity" : nil
    return Step(name: "check", reason: reason)
  }

  private func remove() async -> Step {
    do {
      _ = try await repository.removeSyncTests()
      try await repository.checkpoint()
      return Step(name: "remove", reason: nil)
    } catch {
      return Step(name: "remove", reason: error.recordedText)
    }
  }

  private func json(_ steps: [Step], _ type: OutboxEventType?, left: String?) -> JSONValue {
    [
      "event_type": JSONValue(type?.rawValue), "left_on_server": JSONValue(left),
      "may_be_left_on_server": .bool(steps.contains { $0.name == "send" && $0.mayBeDone }),
      "steps": JSONValue(steps) {
        ["step": .string($0.name), "ok": .bool($0.reason == nil), "reason": JSONValue($0.reason)]
      },
    ]
  }
}
