import Foundation
import PropertyList
import StoreModel
import TestSupport

@testable import TemplateImport
import Migrations

/// Random templates, encoded as JSON by Foundation.
struct RandomTemplates {
  private var generator: SeededGenerator
  private let user: String

  init(seed: UInt64, user: String) {
    generator = SeededGenerator(seed: seed)
    self.user = user
  }

  mutating func template() -> ImportedTemplate {
    let id = uuid()
    let count = Int(number(5))
    return ImportedTemplate(
      id: id, userID: chance() ? user : nil, name: text(), description: maybe { $0.text() },
      category: maybe { $0.text() },
      difficultyLevel: maybe { $0.word(ImportedTemplate.difficultyWords) },
      estimatedDurationMinutes: maybe { Int64($0.number(200)) }, isPublic: chance(),
      isSystem: number(4) == 0, status: word(ImportedTemplate.statusWords),
      exerciseCount: Int64(count), exercises: (0..<count).map { exercise(of: id, at: $0) },
      createdAt: date(), updatedAt: date(), isFavorite: chance(), isFeatured: chance(),
      backendID: maybe { $0.text() }, syncStatus: maybe { $0.word(ImportedTemplate.syncWords) })
  }

  /// Returns a later state of a template: other texts, an exercise removed, another one added.
  mutating func changed(_ template: ImportedTemplate) -> ImportedTemplate {
    var changed = self.template()
    changed.id = template.id
    changed.exercises =
      template.exercises.dropLast().map { old in
        var exercise = self.exercise(of: template.id, at: Int(old.orderIndex))
        exercise.id = old.id
        return exercise
      } + [exercise(of: template.id, at: 9)]
    return changed
  }

  private mutating func exercise(of template: [UInt8], at index: Int) -> ImportedExercise {
    ImportedExercise(
      id: uuid(), templateID: template, exerciseID: maybe { uuidText($0.uuid()) },
      userExerciseID: maybe { uuidText($0.uuid()) }, exerciseName: text(),
      orderIndex: Int64(index), technique: maybe { $0.text() },
      techniqueDetails: chance() ? [.init(name: "a", text: text())] : [],
      rir: maybe { Int64($0.number(5)) }, tempo: maybe { $0.text() },
      sets: maybe { Int64($0.number(9)) }, reps: maybe { Int64($0.number(30)) },
      weightKg: maybe { Double($0.number(2_000)) / 8 },
      durationSeconds: maybe { Int64($0.number(600)) },
      restSeconds: maybe { Int64($0.number(300)) }, notes: maybe { $0.text() }, createdAt: date(),
      backendID: maybe { $0.text() })
  }

  /// Returns preferences with the templates; dates are numbers or texts.
  mutating func propertyList(_ templates: [ImportedTemplate]) throws -> PropertyList {
    let array = templates.map { json($0) }
    let data = try JSONSerialization.data(withJSONObject: array)
    return .dictionary([
      "com.fitiq.workout.templates": .data([UInt8](data)), "other": .integer(1),
    ])
  }

  private mutating func json(_ template: ImportedTemplate) -> [String: Any] {
    var object: [String: Any] = [
      "id": uuidText(template.id), "name": template.name, "isPublic": template.isPublic,
      "isSystem": template.isSystem, "status": template.status,
      "createdAt": dateJSON(template.createdAt), "updatedAt": dateJSON(template.updatedAt),
      "isFavorite": template.isFavorite, "isFeatured": template.isFeatured,
      "exercises": template.exercises.map { json($0) },
    ]
    object["exerciseCount"] = template.exerciseCount
    object["userID"] = template.userID
    object["description"] = template.description
    object["category"] = template.category
    object["difficultyLevel"] = template.difficultyLevel
    object["estimatedDurationMinutes"] = template.estimatedDurationMinutes
    object["backendID"] = template.backendID
    object["syncStatus"] = template.syncStatus
    return object
  }

  private mutating func json(_ exercise: ImportedExercise) -> [String: Any] {
    var object: [String: Any] = [
      "id": uuidText(exercise.id), "exerciseName": exercise.exerciseName,
      "orderIndex": exercise.orderIndex, "createdAt": dateJSON(exercise.createdAt),
    ]
    object["templateID"] = exercise.templateID.map(uuidText)
    object["exerciseID"] = exercise.exerciseID
    object["userExerciseID"] = exercise.userExerciseID?.lowercased()
    object["technique"] = exercise.technique
    if !exercise.techniqueDetails.isEmpty {
      object["techniqueDetails"] = Dictionary(
        uniqueKeysWithValues: exercise.techniqueDetails.map { ($0.name, $0.text) })
    }
    object["rir"] = exercise.rir
    object["tempo"] = exercise.tempo
    object["sets"] = exercise.sets
    object["reps"] = exercise.reps
    object["weightKg"] = exercise.weightKg
    object["durationSeconds"] = exercise.durationSeconds
    object["restSeconds"] = exercise.restSeconds
    object["notes"] = exercise.notes
    object["backendID"] = exercise.backendID
    return object
  }

  private mutating func dateJSON(_ seconds: Double) -> Any {
    guard chance(), seconds == seconds.rounded() else { return seconds }
    let formatter = ISO8601DateFormatter()
    formatter.timeZone = TimeZone(secondsFromGMT: Int(number(24)) * 1_800 - 21_600)
    return formatter.string(from: Date(timeIntervalSinceReferenceDate: seconds))
  }

  private mutating func date() -> Double {
    Double(number(2_000_000_000)) - 900_000_000 + (chance() ? 0.25 : 0)
  }

  private mutating func text() -> String {
    ["", "Squat \(number(99))", "ä/ö \"q\" \n", "🏋️‍♀️ 日本", "null"][Int(number(5))]
  }

  private mutating func word(_ words: [String]) -> String {
    words[Int(number(UInt64(words.count)))]
  }

  private mutating func maybe<Result>(_ make: (inout RandomTemplates) -> Result) -> Result? {
    chance() ? make(&self) : nil
  }

  private mutating func uuid() -> [UInt8] {
    (0..<16).map { _ in UInt8(truncatingIfNeeded: number(256)) }
  }

  private mutating func chance() -> Bool { number(2) == 0 }

  private mutating func number(_ bound: UInt64) -> UInt64 { generator.number(bound) }
}
