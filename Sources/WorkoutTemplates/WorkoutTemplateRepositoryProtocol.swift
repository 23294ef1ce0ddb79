public import OutboxCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A place for workout templates.
///
/// Each function is one change: it happens as a whole or not at all.
public protocol WorkoutTemplateRepositoryProtocol: Sendable {
  /// Adds a template, or updates the one with its id; its exercises are then those of the template.
  @discardableResult
  func save(template: WorkoutTemplate) async throws -> WorkoutTemplate

  /// Returns the templates that match all filters, sorted by name; `nil` for any.
  func fetchAll(
    source: TemplateSource?, category: String?, difficulty: String?
  ) async throws -> [WorkoutTemplate]

  /// Returns the template with an id; `nil` if the repository doesn't have it.
  func fetchByID(_ id: UUID) async throws -> WorkoutTemplate?

  /// Updates a template, and returns it with the date of the change.
  @discardableResult
  func update(template: WorkoutTemplate) async throws -> WorkoutTemplate

  /// Removes a template with its exercises.
  func delete(id: UUID) async throws

  /// Makes a template a favorite, or no longer.
  func toggleFavorite(id: UUID) async throws

  /// Makes a template a featured one, or no longer.
  func toggleFeatured(id: UUID) async throws

  /// Saves all templates as one change.
  func batchSave(templates: [WorkoutTemplate]) async throws

  /// Removes the templates of the system with their exercises.
  func deleteAllSystemTemplates() async throws
}

/// A reason why templates can't be read or written.
public enum WorkoutTemplateRepositoryError: Error, Hashable, Sendable {
  /// There is no template with this id.
  case notFound(UUID)

  /// The store has no templates; the text says what is missing.
  case noTemplates(missing: String)

  /// The store has no profile with this id.
  case noProfile(UUID)

  /// An exercise's id belongs to an exercise of another template, or occurs twice.
  case exerciseTaken(UUID)

  /// The store can't be read or written.
  case store(StoreFailure)
}

extension WorkoutTemplateRepositoryError: CustomStringConvertible, LocalizedError {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .notFound(let id): "there is no workout template '\(id.uuidString)'"
    case .noTemplates(let missing):
      "the store has no workout templates: it lacks '\(missing)'; migrate it to FitIQ V11 first"
    case .noProfile(let id): "the store has no profile '\(id.uuidString)'"
    case .exerciseTaken(let id):
      "the exercise '\(id.uuidString)' belongs to another template or place; give it another id"
    case .store(let failure): failure.description
    }
  }
}
