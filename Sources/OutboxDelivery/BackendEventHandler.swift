package import OutboxCore
import OutboxStore

/// Uploads the events of one type.
///
/// Reads the entity from the store, sends a request, and stores the ID that the server assigns.
package struct BackendEventHandler<Service: BackendService>:
  OutboxProcessorService.OutboxEventHandler
{
  private let service: Service
  private let repository: StoreOutboxRepository
  private let tally: DeliveryTally

  /// Creates a handler for a store's outbox.
  init(_ service: Service, _ repository: StoreOutboxRepository, _ tally: DeliveryTally) {
    self.service = service
    self.repository = repository
    self.tally = tally
  }

  package func canHandle(eventType: OutboxEventType) -> Bool { eventType == Service.eventType }

  package func handle(event: OutboxEvent) async throws {
    switch try await repository.operation(for: event) {
    case .create(let body):
      if let id = try await service.create(body, key: event.id) {
        try await repository.markAsSynced(event, backendID: id)
      }
    case .update(let id, let body): try await service.update(id, body, key: event.id)
    case .delete(let id): try await service.delete(id, key: event.id)
    case .nothing: tally.recordUnsent(event)
    }
  }
}

extension OutboxProcessorService {
  /// Registers a handler for each event type that the apps upload.
  func registerBackendHandlers(
    _ connection: BackendConnection, _ repository: StoreOutboxRepository, _ tally: DeliveryTally
  ) {
    func register<Service: BackendService>(_ type: Service.Type) {
      registerHandler(BackendEventHandler(Service(connection), repository, tally))
    }
    register(MoodBackendService.self)
    register(JournalBackendService.self)
    register(GoalBackendService.self)
    register(ChatBackendService.self)
    register(ProgressBackendService.self)
    register(PhysicalAttributeBackendService.self)
    register(ActivityBackendService.self)
    register(SleepBackendService.self)
    register(MealBackendService.self)
    register(WorkoutBackendService.self)
    register(WorkoutTemplateBackendService.self)
  }
}
