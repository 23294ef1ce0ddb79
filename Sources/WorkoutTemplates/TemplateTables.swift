import OutboxCore
import SQLite
import StoreFormat
import StoreModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The tables of templates, their exercises and the profiles, with the statements that use them.
struct TemplateTables {
  static let templateAttributes = [
    "id", "name", "templateDescription", "category", "difficultyLevel",
    "estimatedDurationMinutes", "isPublic", "isSystem", "status", "isFavorite", "isFeatured",
    "timesUsed", "createdAt", "updatedAt", "backendID", "syncStatus",
  ]
  static let exerciseAttributes = [
    "id", "exerciseID", "userExerciseID", "exerciseName", "orderIndex", "technique", "sets",
    "reps", "weightKg", "durationSeconds", "restSeconds", "notes", "createdAt", "backendID",
  ]

  let templates: RowWriter
  let exercises: RowWriter
  private let profiles: RowWriter
  private let profileID: String

  init(_ store: StoreDescription) throws(WorkoutTemplateRepositoryError) {
    guard let model = store.cachedModel else { throw .noTemplates(missing: "model") }
    let layout = store.layout(of: model)
    templates = try Self.writer(
      "SDWorkoutTemplate", Self.templateAttributes + ["userProfile"], layout)
    exercises = try Self.writer(
      "SDTemplateExercise", Self.exerciseAttributes + ["template"], layout)
    guard case .relationship(let owner) = model["SDWorkoutTemplate"]?["userProfile"] else {
      throw .noTemplates(missing: "SDWorkoutTemplate.userProfile")
    }
    profiles = try Self.writer(owner.destinationName, ["id"], layout)
    profileID = profiles.column(of: "id") ?? "NULL"
  }

  private static func writer(
    _ entity: String, _ properties: [String], _ layout: StoreLayout
  ) throws(WorkoutTemplateRepositoryError) -> RowWriter {
    guard let writer = RowWriter(entity, in: layout) else { throw .noTemplates(missing: entity) }
    if let missing = properties.first(where: { writer.column(of: $0) == nil }) {
      throw .noTemplates(missing: "\(entity).\(missing)")
    }
    return writer
  }

  /// Returns the quoted name of a template's column.
  func column(_ property: String) -> String { templates.column(of: property) ?? "NULL" }

  /// Returns the quoted name of an exercise's column.
  func exerciseColumn(_ property: String) -> String { exercises.column(of: property) ?? "NULL" }

  var templateTable: String { quoteIdentifier(templates.table.name) }
  var exerciseTable: String { quoteIdentifier(exercises.table.name) }

  /// Returns the key of a template's row.
  func key(of id: UUID, _ connection: borrowing Connection) throws(SQLiteError) -> Int64? {
    try connection.value(
      "SELECT Z_PK FROM \(templateTable) WHERE \(column("id")) = ?", [.blob(id.bytes)])?.int64
  }

  /// Returns the key of a profile's row.
  func profileKey(of id: UUID, _ connection: borrowing Connection) throws(SQLiteError) -> Int64? {
    try connection.value(
      "SELECT Z_PK FROM \(quoteIdentifier(profiles.table.name)) WHERE \(profileID) = ?",
      [.blob(id.bytes)])?.int64
  }

  /// The query for templates, with the id of the profile, and with a condition to follow.
  var query: String {
    let columns = Self.templateAttributes.map { "t.\(column($0))" }.joined(separator: ", ")
    return """
      SELECT t.Z_PK, p.\(profileID), \(columns) FROM \(templateTable) AS t
      LEFT JOIN \(quoteIdentifier(profiles.table.name)) AS p ON p.Z_PK = t.\(column("userProfile"))
      """
  }

  /// Reads the exercises of the template with a key.
  func exercises(
    of key: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [(key: Int64, exercise: TemplateExercise)] {
    let columns = Self.exerciseAttributes.map(exerciseColumn).joined(separator: ", ")
    let rows = try connection.rows(
      """
      SELECT Z_PK, \(columns) FROM \(exerciseTable) WHERE \(exerciseColumn("template")) = ?
      ORDER BY \(exerciseColumn("orderIndex")), Z_PK
      """, [.integer(key)])
    return rows.compactMap { row in
      guard let key = row[0].int64,
        let exercise = TemplateExercise(Row(Self.exerciseAttributes, row.dropFirst()))
      else { return nil }
      return (key, exercise)
    }
  }
}
