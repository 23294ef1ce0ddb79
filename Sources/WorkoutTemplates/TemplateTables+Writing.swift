import OutboxCore
import SQLite
import StoreFormat

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension TemplateTables {
  /// Adds a template, or updates the one with its id; returns an error if that can't be.
  ///
  /// The caller undoes the transaction then.
  func save(
    _ template: WorkoutTemplate, _ connection: borrowing Connection
  ) throws(SQLiteError) -> WorkoutTemplateRepositoryError? {
    var values = template.values
    if let userID = template.userID {
      guard let profile = try profileKey(of: userID, connection) else { return .noProfile(userID) }
      values["userProfile"] = .integer(profile)
    } else {
      values["userProfile"] = .null
    }
    let key: Int64
    if let present = try self.key(of: template.id, connection) {
      try templates.update(present, values, connection)
      key = present
    } else {
      key = try templates.insert(values, connection)
    }
    return try saveExercises(of: template, key: key, connection)
  }

  private func saveExercises(
    of template: WorkoutTemplate, key: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> WorkoutTemplateRepositoryError? {
    var present: [UUID: Int64] = [:]
    for (key, exercise) in try exercises(of: key, connection) { present[exercise.id] = key }
    var seen: Set<UUID> = []
    for exercise in template.exercises {
      guard seen.insert(exercise.id).inserted, try !isTaken(exercise.id, besides: key, connection)
      else { return .exerciseTaken(exercise.id) }
      if let row = present.removeValue(forKey: exercise.id) {
        try exercises.update(row, exercise.values(of: key), connection)
      } else {
        _ = try exercises.insert(exercise.values(of: key), connection)
      }
    }
    for row in present.values.sorted() { try exercises.remove(row, connection) }
    return nil
  }

  /// Returns whether an exercise of another template has an id.
  private func isTaken(
    _ id: UUID, besides template: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try connection.value(
      """
      SELECT 1 FROM \(exerciseTable) WHERE \(exerciseColumn("id")) = ?
      AND \(exerciseColumn("template")) IS NOT ? LIMIT 1
      """, [.blob(id.bytes), .integer(template)]) != nil
  }

  /// Removes templates with their exercises, and returns their number.
  func delete(
    where condition: String, _ values: [Value], _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    let selected = "SELECT Z_PK FROM \(templateTable) WHERE \(condition)"
    try connection.execute(
      "DELETE FROM \(exerciseTable) WHERE \(exerciseColumn("template")) IN (\(selected))", values)
    try connection.execute("DELETE FROM \(templateTable) WHERE \(condition)", values)
    return Int(connection.changes)
  }

  /// Inverts a flag of a template; returns whether there is the template.
  func toggle(
    _ flag: String, of id: UUID, at now: Date, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try connection.execute(
      """
      UPDATE \(templateTable) SET \(column(flag)) = coalesce(\(column(flag)), 0) = 0,
      \(column("updatedAt")) = ?, Z_OPT = coalesce(Z_OPT, 0) + 1 WHERE \(column("id")) = ?
      """, [Value(now), .blob(id.bytes)])
    return connection.changes > 0
  }
}
