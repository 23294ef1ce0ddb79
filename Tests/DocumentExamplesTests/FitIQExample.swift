import Foundation
import OutboxCore

// FitIQ's code: its repository on SwiftData, a handler, and the wrapper around the processor.

final class SwiftDataOutboxRepository: OutboxRepositoryProtocol {
  private let modelContext: ModelContext

  init(modelContext: ModelContext) {
    self.modelContext = modelContext
  }

  func createEvent(
    eventType: OutboxCore.OutboxEventType,
    entityID: UUID,
    userID: String,
    isNewRecord: Bool,
    metadata: OutboxCore.OutboxMetadata?,
    priority: Int
  ) async throws -> OutboxCore.OutboxEvent {
    var metadataString: String?
    if let metadata = metadata, let data = try? JSONEncoder().encode(metadata) {
      metadataString = String(data: data, encoding: .utf8)
    }
    let sdEvent = SDOutboxEvent(
      eventType: eventType.rawValue,
      entityID: entityID,
      userID: userID,
      status: OutboxCore.OutboxEventStatus.pending.rawValue,
      metadata: metadataString,
      priority: priority,
      isNewRecord: isNewRecord
    )
    modelContext.insert(sdEvent)
    try modelContext.save()
    return sdEvent.toDomain()
  }

  func fetchPendingEvents(forUserID userID: String?, limit: Int?) async throws -> [OutboxEvent] {
    let found = events(of: userID).filter { $0.shouldProcess }
      .sorted { ($1.priority, $0.createdAt) < ($0.priority, $1.createdAt) }
    return Array(found.prefix(limit ?? found.count))
  }

  func fetchEvents(
    withStatus status: OutboxEventStatus, forUserID userID: String?, limit: Int?
  ) async throws -> [OutboxEvent] {
    let found = events(of: userID).filter { $0.status == status }
    return Array(found.prefix(limit ?? found.count))
  }

  func fetchEvent(byID id: UUID) async throws -> OutboxEvent? {
    events(of: nil).first { $0.id == id }
  }

  func fetchEvents(
    forEntityID entityID: UUID, eventType: OutboxEventType?
  ) async throws -> [OutboxEvent] {
    events(of: nil).filter {
      $0.entityID == entityID && (eventType == nil || $0.eventType == eventType)
    }
  }

  func updateEvent(_ event: OutboxEvent) async throws {
    try change(event.id) { sdEvent in
      sdEvent.status = event.status.rawValue
      sdEvent.lastAttemptAt = event.lastAttemptAt
      sdEvent.attemptCount = event.attemptCount
      sdEvent.errorMessage = event.errorMessage
      sdEvent.completedAt = event.completedAt
    }
  }

  func markAsProcessing(_ eventID: UUID) async throws {
    try change(eventID) { sdEvent in
      sdEvent.status = OutboxEventStatus.processing.rawValue
      sdEvent.attemptCount += 1
      sdEvent.lastAttemptAt = Date()
    }
  }

  func markAsCompleted(_ eventID: UUID) async throws {
    try change(eventID) { sdEvent in
      sdEvent.status = OutboxEventStatus.completed.rawValue
      sdEvent.completedAt = Date()
    }
  }

  func markAsFailed(_ eventID: UUID, error: String) async throws {
    try change(eventID) { sdEvent in
      sdEvent.status = OutboxEventStatus.failed.rawValue
      sdEvent.errorMessage = error
    }
  }

  func resetForRetry(_ eventIDs: [UUID]) async throws {
    for id in eventIDs {
      try change(id) { $0.status = OutboxEventStatus.pending.rawValue }
    }
  }

  func deleteCompletedEvents(olderThan date: Date) async throws -> Int {
    delete { $0.completedAt.map { $0 < date } ?? false }
  }

  func deleteEvent(_ eventID: UUID) async throws {
    _ = delete { $0.id == eventID }
  }

  func deleteEvents(forEntityIDs entityIDs: [UUID]) async throws -> Int {
    delete { entityIDs.contains($0.entityID) }
  }

  func deleteAllEvents(forUserID userID: String) async throws -> Int {
    delete { $0.userID == userID }
  }

  func getStatistics(forUserID userID: String?) async throws -> OutboxStatistics {
    let events = events(of: userID)
    return OutboxStatistics(
      totalEvents: events.count,
      pendingCount: events.filter { $0.status == .pending }.count,
      processingCount: events.filter { $0.status == .processing }.count,
      completedCount: events.filter { $0.status == .completed }.count,
      failedCount: events.filter { $0.status == .failed }.count,
      staleCount: events.filter { $0.isStale }.count
    )
  }

  func getStaleEvents(forUserID userID: String?) async throws -> [OutboxEvent] {
    events(of: userID).filter { $0.isStale }
  }

  private func events(of userID: String?) -> [OutboxEvent] {
    modelContext.events.filter { userID == nil || $0.userID == userID }.map { $0.toDomain() }
  }

  private func change(_ id: UUID, _ body: (SDOutboxEvent) -> Void) throws {
    if let sdEvent = modelContext.events.first(where: { $0.id == id }) { body(sdEvent) }
    try modelContext.save()
  }

  private func delete(_ isGone: (SDOutboxEvent) -> Bool) -> Int {
    let gone = modelContext.events.filter(isGone)
    gone.forEach { modelContext.delete($0) }
    return gone.count
  }
}

extension SDOutboxEvent {
  func toDomain() -> OutboxCore.OutboxEvent {
    let parsedMetadata = metadata?.data(using: .utf8).flatMap {
      try? JSONDecoder().decode(OutboxCore.OutboxMetadata.self, from: $0)
    }
    return OutboxCore.OutboxEvent(
      id: id,
      eventType: OutboxCore.OutboxEventType(rawValue: eventType) ?? .progressEntry,
      entityID: entityID,
      userID: userID,
      status: OutboxCore.OutboxEventStatus(rawValue: status) ?? .pending,
      createdAt: createdAt,
      lastAttemptAt: lastAttemptAt,
      attemptCount: attemptCount,
      maxAttempts: maxAttempts,
      errorMessage: errorMessage,
      completedAt: completedAt,
      metadata: parsedMetadata,
      priority: priority,
      isNewRecord: isNewRecord
    )
  }
}

struct ProgressEntryOutboxHandler: OutboxProcessorService.OutboxEventHandler {
  private let progressRepository: ProgressRepositoryProtocol
  private let remoteDataSync: RemoteHealthDataSyncPort

  init(progressRepository: ProgressRepositoryProtocol, remoteDataSync: RemoteHealthDataSyncPort) {
    self.progressRepository = progressRepository
    self.remoteDataSync = remoteDataSync
  }

  func canHandle(eventType: OutboxEventType) -> Bool {
    eventType == .progressEntry
  }

  func handle(event: OutboxEvent) async throws {
    guard let entry = try await progressRepository.fetchByID(event.entityID) else {
      throw OutboxHandlerError.entityNotFound(id: event.entityID)
    }
    try await remoteDataSync.syncProgressEntry(entry)
  }
}

enum OutboxHandlerError: LocalizedError {
  case entityNotFound(id: UUID)

  var errorDescription: String? {
    switch self {
    case .entityNotFound(let id):
      return "Entity not found: \(id)"
    }
  }
}

public final class FitIQOutboxProcessor {
  private let coreProcessor: OutboxCore.OutboxProcessorService

  init(
    repository: OutboxRepositoryProtocol,
    progressRepository: ProgressRepositoryProtocol,
    remoteDataSync: RemoteHealthDataSyncPort,
    configuration: OutboxCore.OutboxProcessorService.Configuration = .default
  ) {
    self.coreProcessor = OutboxCore.OutboxProcessorService(
      repository: repository,
      configuration: configuration
    )
    Task {
      await coreProcessor.registerHandler(
        ProgressEntryOutboxHandler(
          progressRepository: progressRepository,
          remoteDataSync: remoteDataSync
        )
      )
    }
  }

  public func startProcessing(forUserID userID: UUID) {
    Task {
      await coreProcessor.startProcessing(forUserID: userID.uuidString)
    }
  }

  public func stopProcessing() {
    Task {
      await coreProcessor.stopProcessing()
    }
  }

  public func triggerImmediateProcessing() {
    Task {
      await coreProcessor.triggerImmediateProcessing()
    }
  }
}
