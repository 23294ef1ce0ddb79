public import OutboxCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Saves templates of a user, and queues their upload.
///
/// A template is saved before its event is added, as the apps do: if the app is killed between the
/// two, the template is there, and `StoreOutboxRepository.verify()` finds it without an event.
public struct CreateWorkoutTemplateUseCase: Sendable {
  private let repository: any WorkoutTemplateRepositoryProtocol
  private let outboxRepository: any OutboxRepositoryProtocol

  public init(
    repository: any WorkoutTemplateRepositoryProtocol,
    outboxRepository: any OutboxRepositoryProtocol
  ) {
    self.repository = repository
    self.outboxRepository = outboxRepository
  }

  /// Saves a template with an event.
  ///
  /// - Throws: ``WorkoutTemplateError``, or an error of a repository.
  @discardableResult
  public func execute(
    template: WorkoutTemplate, userID: UUID
  ) async throws -> WorkoutTemplate {
    let saved = try await execute(templates: [template], userID: userID)
    guard let first = saved.first else { return template }
    return first
  }

  /// Saves templates as one change, each with an event.
  ///
  /// They become pending ones of the user, whatever they were. A template that already has an event
  /// to be sent gets no second one.
  ///
  /// - Throws: ``WorkoutTemplateError`` before anything is saved, or an error of a repository.
  @discardableResult
  public func execute(
    templates: [WorkoutTemplate], userID: UUID
  ) async throws -> [WorkoutTemplate] {
    let owned = try templates.map { template in
      guard template.name.contains(where: { !$0.isWhitespace }) else {
        throw WorkoutTemplateError.invalidName
      }
      var owned = template
      owned.userID = userID
      owned.isSystem = false
      owned.syncStatus = .pending
      return owned
    }
    try await repository.batchSave(templates: owned)
    for template in owned {
      let events = try await outboxRepository.fetchEvents(
        forEntityID: template.id, eventType: .workoutTemplate)
      if events.contains(where: { $0.status != .completed }) { continue }
      _ = try await outboxRepository.createEvent(
        eventType: .workoutTemplate, entityID: template.id, userID: userID.uuidString,
        isNewRecord: template.backendID == nil,
        metadata: [
          "name": template.name, "category": template.category ?? "",
          "exerciseCount": template.exercises.count,
        ], priority: 5)
    }
    return owned
  }
}

/// A reason why a template isn't accepted.
public enum WorkoutTemplateError: Error, Hashable, Sendable {
  /// The name is empty.
  case invalidName
}

extension WorkoutTemplateError: CustomStringConvertible, LocalizedError {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .invalidName: "a workout template needs a name"
    }
  }
}
