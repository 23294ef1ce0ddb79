import Platform
import SQLite
import StoreFormat
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration
import Migrations

/// Stores without a model cache, whose model the user gives.
@Suite struct GivenModelTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Takes the cache of a real store away, and returns its path and its schema.
  private func store(_ name: String) throws -> (path: String, schema: SchemaFile)? {
    guard let found = RealStores.path(of: name) else { return nil }
    let path = directory.path("default.store")
    try FileSystem.copy(found, to: path)
    let schema = try bundledMigrator().capture(path, app: "Any", version: "V1")
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA journal_mode = DELETE; DROP TABLE Z_MODELCACHE")
    return (path, SchemaFile(app: "Any", version: "V1", model: schema.model))
  }

  private func next(of schema: SchemaFile) -> SchemaFile {
    var entities = schema.model.entities
    entities.append(
      Entity(name: "Aardvark", properties: [.attribute(Attribute(name: "age", type: .integer16))]))
    var model = Model(
      entities: entities, versionIdentifiers: ["next"], dialect: schema.model.dialect)
    model.configurations = schema.model.configurations.mapValues { $0 + ["Aardvark"] }
    return SchemaFile(app: "Any", version: "V2", model: model)
  }

  @Test(arguments: ["carekit-SampleStore2.1", "wire-store2-67-0", "scout-v1"])
  func `with its model, a store without cache is as one with it, and gets one`(
    name: String
  ) throws {
    guard let (path, schema) = try store(name) else { return }
    let error = #expect(throws: MigrationError.self) { try bundledMigrator().verify(path) }
    #expect(error?.description.contains("give it with '--model'") == true)
    let migrator = StoreMigrator(catalog: Catalog.bundled.giving(schema))
    #expect(try migrator.verify(path).isPassed)
    #expect(try migrator.status(of: path).recognition.match == .exact)
    #expect(try migrator.capture(path).model.entities == schema.model.entities)
    let before = try dump(path)
    let request = MigrationRequest(schema: next(of: schema))
    #expect(try migrator.plan(for: path, request).blockers.isEmpty)
    #expect(try migrator.apply(to: path, request).isVerified)
    #expect(try bundledMigrator().verify(path).isPassed)
    _ = try migrator.rollback(path)
    #expect(try dump(path) == before)
  }

  @Test func `a model with another entity is named with that entity`() throws {
    guard let (path, schema) = try store("scout-v1") else { return }
    let migrator = StoreMigrator(catalog: Catalog.bundled.giving(next(of: schema)))
    let error = #expect(throws: MigrationError.self) {
      try migrator.plan(for: path, MigrationRequest(schema: schema))
    }
    let reason = "Any V2 isn't its model, because the store has no entity 'Aardvark'"
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }
}
