import OutboxCore
import SQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The values of a row by attribute.
struct Row {
  private let values: [String: Value]

  init(_ attributes: [String], _ values: some Sequence<Value>) {
    self.values = Dictionary(zip(attributes, values)) { first, _ in first }
  }

  func text(_ attribute: String) -> String? { values[attribute]?.string }
  func integer(_ attribute: String) -> Int? { values[attribute]?.int64.map { Int($0) } }
  func flag(_ attribute: String) -> Bool { (integer(attribute) ?? 0) != 0 }
  func uuid(_ attribute: String) -> UUID? {
    values[attribute]?.bytes.flatMap { UUID(bytes: $0) }
  }

  /// Returns a number; whole ones may be stored as integers.
  func number(_ attribute: String) -> Double? {
    values[attribute].flatMap { $0.double ?? $0.int64.map { Double($0) } }
  }

  func date(_ attribute: String) -> Date? {
    number(attribute).map { Date(timeIntervalSinceReferenceDate: $0) }
  }
}

extension Value {
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  init(_ integer: Int?) { self = integer.map { .integer(Int64($0)) } ?? .null }
  init(_ number: Double?) { self = number.map { .real($0) } ?? .null }
  init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
  init(_ date: Date) { self = .real(date.timeIntervalSinceReferenceDate) }
}

extension WorkoutTemplate {
  /// Reads a row, without exercises; fails if it has no id.
  init?(_ row: Row, userID: UUID?) {
    guard let id = row.uuid("id") else { return nil }
    let created = row.date("createdAt") ?? .distantPast
    self.init(
      id: id, userID: userID, name: row.text("name") ?? "",
      description: row.text("templateDescription"), category: row.text("category"),
      difficultyLevel: row.text("difficultyLevel"),
      estimatedDurationMinutes: row.integer("estimatedDurationMinutes"), createdAt: created)
    isPublic = row.flag("isPublic")
    isSystem = row.flag("isSystem")
    status = row.text("status") ?? status
    isFavorite = row.flag("isFavorite")
    isFeatured = row.flag("isFeatured")
    timesUsed = row.integer("timesUsed") ?? 0
    updatedAt = row.date("updatedAt") ?? created
    backendID = row.text("backendID")
    syncStatus = row.text("syncStatus").flatMap(SyncStatus.init) ?? .pending
  }

  /// The values of its row, without that of its profile.
  var values: [String: Value] {
    [
      "id": .blob(id.bytes), "name": .text(name), "templateDescription": Value(description),
      "category": Value(category), "difficultyLevel": Value(difficultyLevel),
      "estimatedDurationMinutes": Value(estimatedDurationMinutes), "isPublic": Value(isPublic),
      "isSystem": Value(isSystem), "status": .text(status), "isFavorite": Value(isFavorite),
      "isFeatured": Value(isFeatured), "timesUsed": .integer(Int64(timesUsed)),
      "exerciseCount": .integer(Int64(exercises.count)), "createdAt": Value(createdAt),
      "updatedAt": Value(updatedAt), "backendID": Value(backendID),
      "syncStatus": .text(syncStatus.rawValue),
    ]
  }
}

extension TemplateExercise {
  /// Reads a row; fails if it has no id.
  init?(_ row: Row) {
    guard let id = row.uuid("id") else { return nil }
    self.init(
      id: id, exerciseID: row.text("exerciseID"), userExerciseID: row.text("userExerciseID"),
      exerciseName: row.text("exerciseName") ?? "", orderIndex: row.integer("orderIndex") ?? 0,
      sets: row.integer("sets"), reps: row.integer("reps"), weightKg: row.number("weightKg"),
      durationSeconds: row.integer("durationSeconds"), restSeconds: row.integer("restSeconds"),
      technique: row.text("technique"), notes: row.text("notes"),
      createdAt: row.date("createdAt") ?? .distantPast)
    backendID = row.text("backendID")
  }

  /// The values of its row, as a part of the template with a key.
  func values(of template: Int64) -> [String: Value] {
    [
      "id": .blob(id.bytes), "template": .integer(template), "exerciseID": Value(exerciseID),
      "userExerciseID": Value(userExerciseID), "exerciseName": .text(exerciseName),
      "orderIndex": .integer(Int64(orderIndex)), "technique": Value(technique),
      "sets": Value(sets), "reps": Value(reps), "weightKg": Value(weightKg),
      "durationSeconds": Value(durationSeconds), "restSeconds": Value(restSeconds),
      "notes": Value(notes), "createdAt": Value(createdAt), "backendID": Value(backendID),
    ]
  }
}
