import Foundation
import OutboxCore
import OutboxTesting
import TestSupport

/// A call of a repository with random arguments.
enum RepositoryOperation {
  case create(OutboxEventType, UUID, String, OutboxMetadata?, Int)
  case pending(String?, Int?)
  case ofStatus(OutboxEventStatus, String?, Int?)
  case byID(UUID)
  case ofEntity(UUID, OutboxEventType?)
  case update(OutboxEvent)
  case processing(UUID), completed(UUID), failed(UUID)
  case reset([UUID])
  case deleteCompleted(Date)
  case delete(UUID)
  case deleteOfEntities([UUID])
  case deleteOfUser(String)
  case statistics(String?)
  case stale(String?)

  init(_ random: inout SeededGenerator, _ list: ListRepository) async {
    let events = await list.events
    let event = events.randomElement(using: &random)
    let id = event.map(\.id) ?? UUID()
    let user = Bool.random(using: &random) ? event?.userID : nil
    let limit = Bool.random(using: &random) ? Int.random(in: 0...20, using: &random) : nil
    let now = list.now()
    switch Int.random(in: 0..<19, using: &random) {
    case 0:
      self = .create(
        .allCases.randomElement(using: &random) ?? .goal, event?.entityID ?? UUID(), "U",
        .generic(["k": "v"]), Int.random(in: 0...9, using: &random))
    case 1, 2: self = .pending(user, limit)
    case 3: self = .ofStatus(.allCases.randomElement(using: &random) ?? .failed, user, limit)
    case 4: self = .byID(Bool.random(using: &random) ? id : UUID())
    case 5: self = .ofEntity(event?.entityID ?? UUID(), user == nil ? nil : event?.eventType)
    case 6:
      var changed = event ?? OutboxEvent(eventType: .goal, entityID: id, userID: "U")
      changed.status = .allCases.randomElement(using: &random) ?? .failed
      changed.attemptCount = Int.random(in: 0...6, using: &random)
      changed.completedAt = Bool.random(using: &random) ? now : nil
      changed.errorMessage = Bool.random(using: &random) ? "e" : nil
      self = .update(changed)
    case 7, 8: self = .processing(id)
    case 9, 10: self = .completed(id)
    case 11, 12: self = .failed(id)
    case 13: self = .reset(events.shuffled(using: &random).prefix(9).map(\.id) + [UUID()])
    case 14:
      self = .deleteCompleted(event?.completedAt ?? now.addingTimeInterval(-5_000_000))
    case 15: self = .delete(id)
    case 16: self = .deleteOfEntities([id] + (event.map { [$0.entityID] } ?? []))
    case 17: self = Bool.random(using: &random) ? .statistics(user) : .stale(user)
    default: self = events.count > 20 ? .statistics(nil) : .deleteOfUser("U")
    }
  }

  /// The result of the call.
  enum Outcome: Equatable {
    case nothing
    case events([OutboxEvent])
    case count(Int)
    case statistics(OutboxStatistics)
    case error(String)
  }

  /// Calls both repositories, and returns both results.
  func both(
    _ store: some OutboxRepositoryProtocol, _ list: ListRepository
  ) async throws -> (store: Outcome, list: Outcome) {
    guard case .create(let type, let entity, let user, let metadata, let priority) = self else {
      return (await outcome(store), await outcome(list))
    }
    // Each repository would generate its own ID.
    await list.add(
      try await store.createEvent(
        eventType: type, entityID: entity, userID: user, isNewRecord: false, metadata: metadata,
        priority: priority))
    return (.nothing, .nothing)
  }

  private func outcome(_ repository: some OutboxRepositoryProtocol) async -> Outcome {
    do { return try await result(repository) } catch { return .error("\(error)") }
  }

  private func result(_ repository: some OutboxRepositoryProtocol) async throws -> Outcome {
    switch self {
    case .create: break
    case .pending(let user, let limit):
      return .events(try await repository.fetchPendingEvents(forUserID: user, limit: limit))
    case .ofStatus(let status, let user, let limit):
      return .events(
        try await repository.fetchEvents(withStatus: status, forUserID: user, limit: limit))
    case .byID(let id):
      return .events([try await repository.fetchEvent(byID: id)].compactMap(\.self))
    case .ofEntity(let entity, let type):
      return .events(try await repository.fetchEvents(forEntityID: entity, eventType: type))
    case .update(let event): try await repository.updateEvent(event)
    case .processing(let id): try await repository.markAsProcessing(id)
    case .completed(let id): try await repository.markAsCompleted(id)
    case .failed(let id): try await repository.markAsFailed(id, error: "ä")
    case .reset(let ids): try await repository.resetForRetry(ids)
    case .deleteCompleted(let date):
      return .count(try await repository.deleteCompletedEvents(olderThan: date))
    case .delete(let id): try await repository.deleteEvent(id)
    case .deleteOfEntities(let ids):
      return .count(try await repository.deleteEvents(forEntityIDs: ids))
    case .deleteOfUser(let user):
      return .count(try await repository.deleteAllEvents(forUserID: user))
    case .statistics(let user):
      return .statistics(try await repository.getStatistics(forUserID: user))
    case .stale(let user):
      return .events(try await repository.getStaleEvents(forUserID: user))
    }
    return .nothing
  }
}
