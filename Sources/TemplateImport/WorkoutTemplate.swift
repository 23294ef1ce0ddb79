/// A workout template as FitIQ kept it before V11.
///
/// Dates are seconds since 2001-01-01 UTC, UUIDs 16 bytes.
public struct WorkoutTemplate: Hashable, Sendable {
  public var id: [UInt8]
  public var userID: String?
  public var name: String
  public var description: String?
  public var category: String?
  public var difficultyLevel: String?
  public var estimatedDurationMinutes: Int64?
  public var isPublic: Bool
  public var isSystem: Bool
  public var status: String

  /// The number of exercises that the template claims; the exercises themselves are counted.
  public var exerciseCount: Int64?
  public var exercises: [TemplateExercise]
  public var createdAt: Double
  public var updatedAt: Double
  public var isFavorite: Bool
  public var isFeatured: Bool

  /// Only templates of V11's own model have one.
  public var backendID: String?
  public var syncStatus: String?

  /// The words for ``status``, ``difficultyLevel`` and ``syncStatus``.
  static let statusWords = ["draft", "published", "archived"]
  static let difficultyWords = ["beginner", "intermediate", "advanced", "expert"]
  static let syncWords = ["pending", "syncing", "synced", "failed"]
}
