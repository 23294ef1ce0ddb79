import OutboxCore
import SQLite
import StoreFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The workout templates in a store file of FitIQ, from V11 on.
///
/// Every function that writes is one transaction. It writes what Core Data would write, except for
/// the persistent history. Another connection to the store, such as that of a
/// `StoreOutboxRepository`, sees a change as soon as the function returns.
public actor StoreWorkoutTemplateRepository: WorkoutTemplateRepositoryProtocol {
  private typealias Failure = WorkoutTemplateRepositoryError

  private let connection: Connection
  private let tables: TemplateTables

  /// Returns the current date; tests provide their own.
  private let now: @Sendable () -> Date

  /// Opens the templates of a store.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - now: A closure that returns the current date.
  /// - Throws: A ``WorkoutTemplateRepositoryError`` if the store can't be read or has no templates.
  public init(
    path: String, now: @escaping @Sendable () -> Date = { Date() }
  ) throws(WorkoutTemplateRepositoryError) {
    let opened: Connection
    do throws(SQLiteError) {
      opened = try Connection(path: path, mode: .readWrite)
      opened.setBusyTimeout(.seconds(5))
    } catch {
      throw .store(StoreFailure(error))
    }
    let store: StoreDescription
    do throws(StoreFormatError) {
      store = try StoreDescription(reading: opened)
    } catch {
      throw .store(StoreFailure(error))
    }
    tables = try TemplateTables(store)
    connection = opened
    self.now = now
  }

  @discardableResult
  public func save(
    template: WorkoutTemplate
  ) throws(WorkoutTemplateRepositoryError) -> WorkoutTemplate {
    try batchSave(templates: [template])
    return template
  }

  /// - Complexity: One pass over the templates, and one over the exercises for each that matches.
  public func fetchAll(
    source: TemplateSource? = nil, category: String? = nil, difficulty: String? = nil
  ) throws(WorkoutTemplateRepositoryError) -> [WorkoutTemplate] {
    let filters: [(column: String, value: Value)?] = [
      source.map { ("isSystem", Value($0 == .system)) }, category.map { ("category", .text($0)) },
      difficulty.map { ("difficultyLevel", .text($0)) },
    ]
    let given = filters.compactMap(\.self)
    return try fetch(
      where: given.map { "t.\(tables.column($0.column)) = ?" }, given.map(\.value))
  }

  public func fetchByID(
    _ id: UUID
  ) throws(WorkoutTemplateRepositoryError) -> WorkoutTemplate? {
    try fetch(where: ["t.\(tables.column("id")) = ?"], [.blob(id.bytes)]).first
  }

  @discardableResult
  public func update(
    template: WorkoutTemplate
  ) throws(WorkoutTemplateRepositoryError) -> WorkoutTemplate {
    var changed = template
    changed.updatedAt = now()
    let updated = changed
    try write { connection throws(SQLiteError) in
      guard try tables.key(of: updated.id, connection) != nil else {
        return .notFound(updated.id)
      }
      return try tables.save(updated, connection)
    }
    return updated
  }

  public func delete(id: UUID) throws(WorkoutTemplateRepositoryError) {
    try write { connection throws(SQLiteError) in
      try tables.delete(where: "\(tables.column("id")) = ?", [.blob(id.bytes)], connection) > 0
        ? nil : .notFound(id)
    }
  }

  public func toggleFavorite(id: UUID) throws(WorkoutTemplateRepositoryError) {
    try toggle("isFavorite", of: id)
  }

  public func toggleFeatured(id: UUID) throws(WorkoutTemplateRepositoryError) {
    try toggle("isFeatured", of: id)
  }

  public func batchSave(
    templates: [WorkoutTemplate]
  ) throws(WorkoutTemplateRepositoryError) {
    try write { connection throws(SQLiteError) in
      for template in templates {
        if let error = try tables.save(template, connection) { return error }
      }
      return nil
    }
  }

  public func deleteAllSystemTemplates() throws(WorkoutTemplateRepositoryError) {
    try write { connection throws(SQLiteError) in
      _ = try tables.delete(where: "\(tables.column("isSystem")) <> 0", [], connection)
      return nil
    }
  }
}

extension StoreWorkoutTemplateRepository {
  private func toggle(
    _ flag: String, of id: UUID
  ) throws(WorkoutTemplateRepositoryError) {
    let moment = now()
    try write { connection throws(SQLiteError) in
      try tables.toggle(flag, of: id, at: moment, connection) ? nil : .notFound(id)
    }
  }

  private func fetch(
    where conditions: [String], _ values: [Value]
  ) throws(WorkoutTemplateRepositoryError) -> [WorkoutTemplate] {
    do throws(SQLiteError) {
      let condition = (conditions + ["TRUE"]).joined(separator: " AND ")
      let rows = try connection.rows(
        "\(tables.query) WHERE \(condition) ORDER BY t.\(tables.column("name")), t.Z_PK", values)
      var templates: [WorkoutTemplate] = []
      for row in rows {
        let values = Row(TemplateTables.templateAttributes, row.dropFirst(2))
        let user = row[1].bytes.flatMap { UUID(bytes: $0) }
        guard let key = row[0].int64, var template = WorkoutTemplate(values, userID: user) else {
          continue
        }
        template.exercises = try tables.exercises(of: key, connection).map(\.exercise)
        templates.append(template)
      }
      return templates
    } catch {
      throw .store(StoreFailure(error))
    }
  }

  /// Runs a body as one transaction, which an error that it returns undoes.
  private func write(
    _ body: (borrowing Connection) throws(SQLiteError) -> WorkoutTemplateRepositoryError?
  ) throws(WorkoutTemplateRepositoryError) {
    let refusal: WorkoutTemplateRepositoryError?
    do throws(SQLiteError) {
      try connection.begin(.immediate)
      do throws(SQLiteError) {
        refusal = try body(connection)
        if refusal == nil { try connection.commit() } else { try connection.rollback() }
      } catch {
        // The first error counts.
        try? connection.rollback()
        throw error
      }
    } catch {
      throw .store(StoreFailure(error))
    }
    if let refusal { throw refusal }
  }
}
