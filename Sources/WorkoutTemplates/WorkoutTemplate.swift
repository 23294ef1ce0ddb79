#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A workout template of FitIQ, as a store has it from V11 on.
public struct WorkoutTemplate: Identifiable, Hashable, Sendable {
  public var id: UUID

  /// The id of the profile that it belongs to; `nil` for a template of the system.
  public var userID: UUID?
  public var name: String
  public var description: String?
  public var category: String?

  /// How hard it is, such as `beginner`.
  public var difficultyLevel: String?
  public var estimatedDurationMinutes: Int?
  public var isPublic = false
  public var isSystem = false

  /// The state of its publication, such as `draft`.
  public var status = "draft"
  public var isFavorite = false
  public var isFeatured = false

  /// The number of workouts that were made of it.
  public var timesUsed = 0
  public var createdAt: Date
  public var updatedAt: Date

  /// The id on the server; `nil` if it isn't synced.
  public var backendID: String?
  public var syncStatus = SyncStatus.pending

  /// The exercises, sorted by their place.
  public var exercises: [TemplateExercise]

  public init(
    id: UUID = UUID(), userID: UUID? = nil, name: String, description: String? = nil,
    category: String? = nil, difficultyLevel: String? = nil, estimatedDurationMinutes: Int? = nil,
    exercises: [TemplateExercise] = [], createdAt: Date = Date()
  ) {
    self.id = id
    self.userID = userID
    self.name = name
    self.description = description
    self.category = category
    self.difficultyLevel = difficultyLevel
    self.estimatedDurationMinutes = estimatedDurationMinutes
    self.exercises = exercises
    self.createdAt = createdAt
    updatedAt = createdAt
  }
}

/// How far an entity is synced with the server.
public enum SyncStatus: String, CaseIterable, Codable, Sendable {
  case pending
  case syncing
  case synced
  case failed
}

/// Where a template comes from.
public enum TemplateSource: String, CaseIterable, Sendable {
  /// From the app.
  case system

  /// From a user.
  case user
}
