import SQLite
import StoreFormat
import StoreModel

/// Writes templates and exercises to the tables of V11.
struct TemplateRows {
  private let templates: RowWriter
  private let exercises: RowWriter
  private let templateTable: String
  private let exerciseTable: String
  private let columns: (template: Columns, exercise: Columns)

  /// The name of the profiles' entity.
  let profileEntity: String

  /// The columns for finding rows.
  private struct Columns {
    let id: String
    let link: String
    let date: String
  }

  /// - Throws: ``TemplateImportError/noTemplates(missing:)`` if the model isn't V11's.
  init(_ model: Model, _ layout: StoreLayout) throws(TemplateImportError) {
    (templates, templateTable) = try Self.writer("SDWorkoutTemplate", layout)
    (exercises, exerciseTable) = try Self.writer("SDTemplateExercise", layout)
    guard case .relationship(let owner) = model["SDWorkoutTemplate"]?["userProfile"] else {
      throw .noTemplates(missing: "SDWorkoutTemplate.userProfile")
    }
    profileEntity = owner.destinationName
    columns = (
      try Self.columns(templates, "SDWorkoutTemplate", link: "userProfile", date: "updatedAt"),
      try Self.columns(exercises, "SDTemplateExercise", link: "template", date: "createdAt")
    )
  }

  private static func writer(
    _ entity: String, _ layout: StoreLayout
  ) throws(TemplateImportError) -> (RowWriter, String) {
    guard let writer = RowWriter(entity, in: layout) else { throw .noTemplates(missing: entity) }
    return (writer, quoteIdentifier(writer.table.name))
  }

  private static func columns(
    _ writer: RowWriter, _ entity: String, link: String, date: String
  ) throws(TemplateImportError) -> Columns {
    guard let id = writer.column(of: "id"), let linkColumn = writer.column(of: link),
      let dateColumn = writer.column(of: date)
    else { throw .noTemplates(missing: "\(entity).\(link)") }
    return Columns(id: id, link: linkColumn, date: dateColumn)
  }
}

// MARK: - Finding

extension TemplateRows {
  /// The row of a template.
  struct Found: Hashable {
    let key: Int64

    /// The date of the last change, in seconds since 2001-01-01 UTC.
    let updatedAt: Double
  }

  func row(of template: ImportedTemplate, _ connection: borrowing Connection) throws -> Found? {
    try connection.rows(
      "SELECT Z_PK, \(columns.template.date) FROM \(templateTable) WHERE \(columns.template.id) = ?1",
      [.blob(template.id)]
    ).first.map { row in
      Found(key: row[0].int64 ?? 0, updatedAt: row[1].double ?? Double(row[1].int64 ?? 0))
    }
  }

  /// Returns the index of the first exercise whose ID belongs to an exercise of another template.
  func takenExercise(
    of template: ImportedTemplate, key: Int64?, _ connection: borrowing Connection
  ) throws -> Int? {
    try template.exercises.firstIndex { exercise in
      try connection.value(
        """
        SELECT 1 FROM \(exerciseTable) WHERE \(columns.exercise.id) = ?1
        AND \(columns.exercise.link) IS NOT ?2
        """, [.blob(exercise.id), Value(key)]) != nil
    }
  }
}

// MARK: - Writing

extension TemplateRows {
  /// Inserts a template with its exercises, and returns its key.
  func insert(
    _ template: ImportedTemplate, profile: Int64?, keepingInNotes keepsInNotes: Bool,
    _ connection: borrowing Connection
  ) throws -> Int64 {
    var values = template.values
    values["userProfile"] = Value(profile)
    values["timesUsed"] = 0
    values["syncStatus"] = .text(template.syncStatus ?? "pending")
    values["backendID"] = Value(template.backendID)
    let key = try templates.insert(values, connection)
    for exercise in template.exercises {
      _ = try exercises.insert(
        exercise.values(of: key, keepingInNotes: keepsInNotes), connection)
    }
    return key
  }

  /// Updates a row with a template's values and exercises; missing values keep the row's.
  ///
  /// - Returns: The number of exercises removed.
  func update(
    _ key: Int64, to template: ImportedTemplate, profile: Int64?,
    keepingInNotes keepsInNotes: Bool, _ connection: borrowing Connection
  ) throws -> Int {
    var values = template.values
    values["userProfile"] = Value(profile)
    if let status = template.syncStatus { values["syncStatus"] = .text(status) }
    if let id = template.backendID { values["backendID"] = .text(id) }
    try templates.update(key, values, connection)
    var present: [[UInt8]: Int64] = [:]
    for row in try connection.rows(
      "SELECT Z_PK, \(columns.exercise.id) FROM \(exerciseTable) WHERE \(columns.exercise.link) = ?1",
      [.integer(key)])
    {
      guard let key = row[0].int64, case .blob(let id) = row[1] else { continue }
      present[id] = key
    }
    for exercise in template.exercises {
      var values = exercise.values(of: key, keepingInNotes: keepsInNotes)
      guard let row = present.removeValue(forKey: exercise.id) else {
        _ = try exercises.insert(values, connection)
        continue
      }
      if exercise.backendID == nil { values["backendID"] = nil }
      try exercises.update(row, values, connection)
    }
    for row in present.values.sorted() { try exercises.remove(row, connection) }
    return present.count
  }
}

extension Value {
  fileprivate init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  fileprivate init(_ integer: Int64?) { self = integer.map { .integer($0) } ?? .null }
  fileprivate init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
  fileprivate init(_ number: Double?) { self = number.map { .real($0) } ?? .null }
}

extension ImportedTemplate {
  /// The values that every template determines.
  fileprivate var values: [String: Value] {
    [
      "id": .blob(id), "name": .text(name), "templateDescription": Value(description),
      "category": Value(category), "difficultyLevel": Value(difficultyLevel),
      "estimatedDurationMinutes": Value(estimatedDurationMinutes), "isPublic": Value(isPublic),
      "isSystem": Value(isSystem), "status": .text(status),
      "exerciseCount": .integer(Int64(exercises.count)), "createdAt": .real(createdAt),
      "updatedAt": .real(updatedAt), "isFavorite": Value(isFavorite),
      "isFeatured": Value(isFeatured),
    ]
  }
}

extension ImportedExercise {
  fileprivate func values(of template: Int64, keepingInNotes keepsInNotes: Bool) -> [String: Value]
  {
    [
      "id": .blob(id), "template": .integer(template), "exerciseID": Value(exerciseID),
      "userExerciseID": Value(userExerciseID), "exerciseName": .text(exerciseName),
      "orderIndex": .integer(orderIndex), "technique": Value(technique), "sets": Value(sets),
      "reps": Value(reps), "weightKg": Value(weightKg), "durationSeconds": Value(durationSeconds),
      "restSeconds": Value(restSeconds), "notes": Value(keepsInNotes ? notesWithRest : notes),
      "createdAt": .real(createdAt), "backendID": Value(backendID),
    ]
  }
}
