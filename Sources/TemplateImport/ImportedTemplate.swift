/// A workout template, in FitIQ's format before V11.
///
/// Dates are seconds since 2001-01-01 UTC, and UUIDs are 16 bytes.
package struct ImportedTemplate: Hashable, Sendable {
  package var id: [UInt8]
  package var userID: String?
  package var name: String
  package var description: String?
  package var category: String?
  package var difficultyLevel: String?
  package var estimatedDurationMinutes: Int64?
  package var isPublic: Bool
  package var isSystem: Bool
  package var status: String

  /// The number of exercises according to the template; the actual exercises count.
  package var exerciseCount: Int64?
  package var exercises: [ImportedExercise]
  package var createdAt: Double
  package var updatedAt: Double
  package var isFavorite: Bool
  package var isFeatured: Bool

  /// Only templates in V11's own format have one.
  package var backendID: String?
  package var syncStatus: String?

  /// The valid values of ``status``, ``difficultyLevel`` and ``syncStatus``.
  static let statusWords = ["draft", "published", "archived"]
  static let difficultyWords = ["beginner", "intermediate", "advanced", "expert"]
  static let syncWords = ["pending", "syncing", "synced", "failed"]
}
