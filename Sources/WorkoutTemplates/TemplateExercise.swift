#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An exercise of a workout template.
public struct TemplateExercise: Identifiable, Hashable, Sendable {
  public var id: UUID

  /// The id of the exercise in the app's or in the user's own list, as text.
  public var exerciseID: String?
  public var userExerciseID: String?
  public var exerciseName: String

  /// The place in the template.
  public var orderIndex: Int
  public var technique: String?
  public var sets: Int?
  public var reps: Int?
  public var weightKg: Double?
  public var durationSeconds: Int?
  public var restSeconds: Int?
  public var notes: String?
  public var createdAt: Date

  /// The id on the server; `nil` if it isn't synced.
  public var backendID: String?

  public init(
    id: UUID = UUID(), exerciseID: String? = nil, userExerciseID: String? = nil,
    exerciseName: String, orderIndex: Int, sets: Int? = nil, reps: Int? = nil,
    weightKg: Double? = nil, durationSeconds: Int? = nil, restSeconds: Int? = nil,
    technique: String? = nil, notes: String? = nil, createdAt: Date = Date()
  ) {
    self.id = id
    self.exerciseID = exerciseID
    self.userExerciseID = userExerciseID
    self.exerciseName = exerciseName
    self.orderIndex = orderIndex
    self.sets = sets
    self.reps = reps
    self.weightKg = weightKg
    self.durationSeconds = durationSeconds
    self.restSeconds = restSeconds
    self.technique = technique
    self.notes = notes
    self.createdAt = createdAt
  }
}
