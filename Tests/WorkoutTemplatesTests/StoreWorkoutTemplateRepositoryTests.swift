import Foundation
import OutboxCore
import OutboxStore
import Platform
import SQLite
import StoreFixtures
import StoreModel
import TestSupport
import Testing

@testable import WorkoutTemplates

@Suite struct StoreWorkoutTemplateRepositoryTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let moment = Date(timeIntervalSinceReferenceDate: 790_000_000)

  init() throws {
    folder = try TemporaryDirectory()
    path = try Self.makeStore("V11", in: folder)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("DELETE FROM ZSDWORKOUTTEMPLATE; DELETE FROM ZSDTEMPLATEEXERCISE")
  }

  private static func makeStore(_ version: String, in folder: TemporaryDirectory) throws -> String {
    let file = try #require(
      EmbeddedFile.all.first { $0.path.hasSuffix("fitiq/\(version).schema.json") })
    let model = try SchemaFile(parsing: file.bytes, file: file.path).model
    let path = folder.path("\(version).store")
    try createFixture(
      app: "fitiq", version: version, model: model, at: path, options: FixtureOptions(rows: 40))
    return path
  }

  private func repository() throws -> StoreWorkoutTemplateRepository {
    let moment = moment
    return try StoreWorkoutTemplateRepository(path: path, now: { moment })
  }

  private func user() throws -> UUID {
    let connection = try Connection(path: path, mode: .readOnly)
    let bytes = try connection.value("SELECT ZID FROM ZSDUSERPROFILEV11 LIMIT 1")?.bytes
    return try #require(bytes.flatMap { UUID(bytes: $0) })
  }

  private func template(_ name: String, exercises count: Int = 3) -> WorkoutTemplate {
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
    var template = WorkoutTemplate(
      name: name, description: "d", category: "strength", difficultyLevel: "beginner",
      estimatedDurationMinutes: 45,
      exercises: (0..<count).map {
        TemplateExercise(
          exerciseID: UUID().uuidString, exerciseName: "e\($0)", orderIndex: $0, sets: 4, reps: 10,
          weightKg: 12.5, restSeconds: 90, technique: "t", notes: "n", createdAt: date)
      }, createdAt: date)
    template.timesUsed = 2
    return template
  }

  private func count(_ table: String) throws -> Int64? {
    try Connection(path: path, mode: .readOnly).value("SELECT count(*) FROM \(table)")?.int64
  }

  @Test func `a template comes back as it was saved`() async throws {
    let repository = try repository()
    var template = template("Upper body")
    template.userID = try user()
    try await repository.save(template: template)
    #expect(try await repository.fetchByID(template.id) == template)
    #expect(try await repository.fetchByID(UUID()) == nil)
    // Saved again, it is updated, and lacks the exercise that it doesn't have any more.
    template.name = "Lower body"
    template.exercises.removeFirst()
    template.exercises[0].reps = nil
    template.exercises.append(TemplateExercise(exerciseName: "new", orderIndex: 9))
    template.exercises[2].createdAt = moment
    try await repository.save(template: template)
    #expect(try await repository.fetchAll() == [template])
    #expect(try count("ZSDTEMPLATEEXERCISE") == 3)
    let updated = try await repository.update(template: template)
    #expect(updated.updatedAt == moment)
    #expect(try await repository.fetchByID(template.id) == updated)
  }

  @Test func `templates are found by source, category and difficulty`() async throws {
    let repository = try repository()
    var (own, system) = (template("B"), template("A"))
    system.isSystem = true
    system.difficultyLevel = "expert"
    own.category = nil
    try await repository.batchSave(templates: [own, system])
    #expect(try await repository.fetchAll() == [system, own])
    #expect(try await repository.fetchAll(source: .system) == [system])
    #expect(try await repository.fetchAll(source: .user) == [own])
    #expect(try await repository.fetchAll(category: "strength") == [system])
    #expect(try await repository.fetchAll(source: .user, difficulty: "expert").isEmpty)
    try await repository.toggleFavorite(id: own.id)
    try await repository.toggleFeatured(id: own.id)
    var found = try #require(try await repository.fetchByID(own.id))
    #expect(found.isFavorite && found.isFeatured && found.updatedAt == moment)
    try await repository.toggleFavorite(id: own.id)
    found = try #require(try await repository.fetchByID(own.id))
    #expect(!found.isFavorite && found.isFeatured)
    try await repository.deleteAllSystemTemplates()
    #expect(try await repository.fetchAll().map(\.id) == [own.id])
    #expect(try count("ZSDTEMPLATEEXERCISE") == 3)
    try await repository.delete(id: own.id)
    #expect(try count("ZSDWORKOUTTEMPLATE") == 0 && count("ZSDTEMPLATEEXERCISE") == 0)
  }

  @Test func `what can't be saved changes nothing`() async throws {
    let repository = try repository()
    let first = template("A")
    try await repository.save(template: first)
    var (second, third) = (template("B"), template("C"))
    second.exercises[1].id = first.exercises[0].id
    await #expect(throws: WorkoutTemplateRepositoryError.exerciseTaken(first.exercises[0].id)) {
      try await repository.batchSave(templates: [third, second])
    }
    third.userID = UUID()
    await #expect(throws: WorkoutTemplateRepositoryError.self) {
      try await repository.save(template: third)
    }
    await #expect(throws: WorkoutTemplateRepositoryError.notFound(third.id)) {
      try await repository.delete(id: third.id)
    }
    await #expect(throws: WorkoutTemplateRepositoryError.notFound(third.id)) {
      try await repository.toggleFavorite(id: third.id)
    }
    await #expect(throws: WorkoutTemplateRepositoryError.notFound(third.id)) {
      try await repository.update(template: third)
    }
    #expect(try await repository.fetchAll() == [first])
    let old = try Self.makeStore("V10", in: folder)
    #expect(throws: WorkoutTemplateRepositoryError.self) {
      try StoreWorkoutTemplateRepository(path: old)
    }
  }

  @Test func `a new template is queued, once`() async throws {
    let outbox = try StoreOutboxRepository.open(path)
    let user = try user()
    let useCase = CreateWorkoutTemplateUseCase(
      repository: try repository(), outboxRepository: outbox)
    let templates = [template("A"), template("B", exercises: 0)]
    let saved = try await useCase.execute(templates: templates, userID: user)
    #expect(saved.map(\.userID) == [user, user])
    try await useCase.execute(template: templates[0], userID: user)
    for template in templates {
      let events = try await outbox.fetchEvents(
        forEntityID: template.id, eventType: .workoutTemplate)
      let event = try #require(events.first)
      #expect(events.count == 1 && event.isNewRecord && event.userID == user.uuidString)
      #expect(
        event.metadata
          == .generic([
            "name": template.name, "category": "strength",
            "exerciseCount": "\(template.exercises.count)",
          ]))
    }
    let states = try await outbox.entityStates(OutboxScope(eventType: .workoutTemplate))
    #expect(states[.workoutTemplate]?.queued == 2 && states[.workoutTemplate]?.missing == 0)
    let orphans = try await outbox.findOrphans(forUserID: user.uuidString)
    #expect(orphans.countsByType[.orphaned]?[.workoutTemplate] == nil)
    await #expect(throws: WorkoutTemplateError.invalidName) {
      try await useCase.execute(template: template(" "), userID: user)
    }
  }
}
