import JSONText
import StoreModel

/// Reads the templates in a JSON array.
///
/// An invalid template doesn't prevent reading the others.
struct TemplateReader {
  /// The number of occurrences of each unknown key.
  private(set) var unknownKeys: [String: Int] = [:]

  /// Reads an array.
  ///
  /// - Parameter bytes: The JSON text.
  /// - Returns: The template or the error for each element.
  /// - Throws: A ``JSONError`` if the text isn't a JSON array.
  mutating func templates(
    in bytes: [UInt8]
  ) throws(JSONError) -> [Result<ImportedTemplate, TemplateProblem>] {
    try JSONNode(parsing: bytes).array.map { node in
      do throws(TemplateProblem) {
        return .success(try template(node))
      } catch {
        return .failure(error)
      }
    }
  }

  private mutating func template(_ node: JSONNode) throws(TemplateProblem) -> ImportedTemplate {
    let path = ""
    var fields = try Fields(node)
    let created = try required("createdAt", in: path, fields.date("createdAt"))
    let template = ImportedTemplate(
      id: try required("id", in: path, fields.uuid("id")), userID: try fields.text("userID"),
      name: try required("name", in: path, fields.text("name")),
      description: try fields.text("description"), category: try fields.text("category"),
      difficultyLevel: try fields.word("difficultyLevel", of: ImportedTemplate.difficultyWords),
      estimatedDurationMinutes: try fields.integer("estimatedDurationMinutes"),
      isPublic: try fields.boolean("isPublic") ?? false,
      isSystem: try fields.boolean("isSystem") ?? false,
      status: try fields.word("status", of: ImportedTemplate.statusWords) ?? "draft",
      exerciseCount: try fields.integer("exerciseCount"),
      exercises: try exercises(fields.node("exercises"), created: created),
      createdAt: created, updatedAt: try fields.date("updatedAt") ?? created,
      isFavorite: try fields.boolean("isFavorite") ?? false,
      isFeatured: try fields.boolean("isFeatured") ?? false,
      backendID: try fields.text("backendID"),
      syncStatus: try fields.word("syncStatus", of: ImportedTemplate.syncWords))
    record(fields.unknown, below: "")
    return template
  }

  private mutating func exercises(
    _ node: JSONNode?, created: Double
  ) throws(TemplateProblem) -> [ImportedExercise] {
    guard let node else { return [] }
    guard case .array(let elements) = node.value else {
      throw TemplateProblem(path: "exercises", reason: "is not an array")
    }
    var exercises: [ImportedExercise] = []
    var ids: Set<[UInt8]> = []
    for (index, element) in elements.enumerated() {
      let path = "exercises[\(index)]"
      let exercise = try exercise(element, path: path, index: index, created: created)
      guard ids.insert(exercise.id).inserted else {
        throw TemplateProblem(path: path, reason: "has the same id as an earlier exercise")
      }
      exercises.append(exercise)
    }
    return exercises
  }

  private mutating func exercise(
    _ node: JSONNode, path: String, index: Int, created: Double
  ) throws(TemplateProblem) -> ImportedExercise {
    var fields = try Fields(node, path: path)
    let exercise = ImportedExercise(
      id: try required("id", in: path, fields.uuid("id")),
      templateID: try fields.uuid("templateID"),
      exerciseID: try fields.uuid("exerciseID").map(uuidText),
      userExerciseID: try fields.uuid("userExerciseID").map(uuidText),
      exerciseName: try required("exerciseName", in: path, fields.text("exerciseName")),
      orderIndex: try fields.integer("orderIndex") ?? Int64(index),
      technique: try fields.text("technique"),
      techniqueDetails: try details(fields.node("techniqueDetails"), path: path),
      rir: try fields.integer("rir"), tempo: try fields.text("tempo"),
      sets: try fields.integer("sets"), reps: try fields.integer("reps"),
      weightKg: try fields.number("weightKg"),
      durationSeconds: try fields.integer("durationSeconds"),
      restSeconds: try fields.integer("restSeconds"), notes: try fields.text("notes"),
      createdAt: try fields.date("createdAt") ?? created, backendID: try fields.text("backendID"))
    record(fields.unknown, below: "exercises.")
    return exercise
  }

  private func details(
    _ node: JSONNode?, path: String
  ) throws(TemplateProblem) -> [ImportedExercise.Detail] {
    guard let node else { return [] }
    guard case .object(let members) = node.value else {
      throw TemplateProblem(path: "\(path).techniqueDetails", reason: "is not an object")
    }
    return try members.map { member throws(TemplateProblem) in
      guard case .string(let text) = member.node.value else {
        throw TemplateProblem(
          path: "\(path).techniqueDetails", reason: "has a value that is not a string")
      }
      return ImportedExercise.Detail(name: member.key, text: text)
    }.sorted { $0.name < $1.name }
  }

  /// Returns a required value.
  ///
  /// - Throws: A ``TemplateProblem`` if the value is `nil`.
  private func required<Value>(
    _ key: String, in path: String, _ value: Value?
  ) throws(TemplateProblem) -> Value {
    guard let value else {
      throw TemplateProblem(path: path.isEmpty ? key : "\(path).\(key)", reason: "is missing")
    }
    return value
  }

  private mutating func record(_ keys: [String], below path: String) {
    for key in keys { unknownKeys[path + key, default: 0] += 1 }
  }
}
