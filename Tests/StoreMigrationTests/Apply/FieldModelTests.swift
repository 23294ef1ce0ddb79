import Platform
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration
import Migrations

/// Models as apps in the field have them: rare relationships, doubled indexes, renamed entities.
@Suite struct FieldModelTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func part(_ indexes: [FetchIndex] = []) -> Entity {
    Entity(
      name: "Part", properties: [.attribute(Attribute(name: "count", type: .integer64))],
      indexes: indexes)
  }

  private func index(_ name: String) -> FetchIndex {
    FetchIndex(name: name, elements: [FetchIndex.Element(propertyName: "count")])
  }

  private var list: Entity {
    Entity(
      name: "List",
      properties: [
        .relationship(
          Relationship(name: "parts", destinationName: "Part", maxCount: 0, isOrdered: true)),
        .relationship(
          Relationship(name: "alike", destinationName: "List", inverseName: "alike", maxCount: -1)),
      ])
  }

  private func model(_ entities: [Entity]) -> Model {
    Model(entities: entities, versionIdentifiers: ["1"], dialect: .coreData)
  }

  private func store(of model: Model) throws -> String {
    let path = directory.path("default.store")
    try createFixture(
      app: "Field", version: "V1", model: model, at: path, options: FixtureOptions(rows: 40))
    try Connection(path: path, mode: .readWrite).execute("PRAGMA journal_mode = DELETE")
    return path
  }

  private func schema(_ model: Model, version: String = "V2") -> SchemaFile {
    SchemaFile(app: "Field", version: version, model: model)
  }

  private func rows(_ query: String, in path: String) throws -> [[Value]] {
    try Connection(path: path, mode: .readOnlyUnshared).rows(query)
  }

  @Test func `places of ordered links without inverse and links to oneself follow new numbers`()
    throws
  {
    let path = try store(of: model([list, part()]))
    let links = try rows("SELECT Z_PK, Z1PARTS, Z_FOK_1PARTS FROM ZPART ORDER BY 1", in: path)
    let alike = try rows("SELECT Z_1ALIKE, REFLEXIVE FROM Z_1ALIKE ORDER BY 1, 2", in: path)
    #expect(links.contains { !$0[1].isNull && !$0[2].isNull } && !alike.isEmpty)
    let next = schema(model([list, part(), Entity(name: "Able")]))
    let report = try bundledMigrator().apply(to: path, MigrationRequest(schema: next))
    #expect(report.isVerified)
    #expect(
      try rows("SELECT Z_PK, Z2PARTS, Z_FOK_2PARTS FROM ZPART ORDER BY 1", in: path) == links)
    #expect(try rows("SELECT Z_2ALIKE, REFLEXIVE FROM Z_2ALIKE ORDER BY 1, 2", in: path) == alike)
    #expect(try bundledMigrator().verify(path).isPassed)
  }

  @Test func `an index alone is a change that a plan names and verify asks for`() throws {
    let path = try store(of: model([part([index("one")])]))
    let next = schema(model([part([index("one"), index("one"), index("two")])]))
    let plan = try bundledMigrator().plan(for: path, MigrationRequest(schema: next))
    #expect(plan.hasChanges)
    #expect(plan.rowsWritten == 0)
    #expect(plan.warnings.map(\.code) == ["index-comes"])
    _ = try bundledMigrator().apply(to: path, MigrationRequest(schema: next))
    let names = try rows(
      "SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name", in: path)
    #expect(names == [[.text("Z_Part_one")], [.text("Z_Part_two")]])
    #expect(try bundledMigrator().verify(path).isPassed)
    #expect(try !bundledMigrator().plan(for: path, MigrationRequest(schema: next)).hasChanges)
    try Connection(path: path, mode: .readWrite).execute("DROP INDEX Z_Part_one")
    let checks = try bundledMigrator().verify(path).checks
    #expect(checks.filter { !$0.isPassed }.map(\.name) == ["indexes"])
  }

  @Test func `an index that the next model hasn't goes, though another has its columns`() throws {
    let path = try store(of: model([part([index("one"), index("two")])]))
    let next = schema(model([part([index("two")])]))
    _ = try bundledMigrator().apply(to: path, MigrationRequest(schema: next))
    #expect(
      try rows("SELECT name FROM sqlite_schema WHERE type = 'index'", in: path)
        == [[.text("Z_Part_two")]])
  }

  @Test(arguments: ["Piece", "Bit"])
  func `a renamed entity may keep an old name in Z_PRIMARYKEY`(name: String) throws {
    var renamed = part()
    renamed.renamingIdentifier = "Piece"
    let path = try store(of: model([list, renamed]))
    try Connection(path: path, mode: .readWrite)
      .execute("UPDATE Z_PRIMARYKEY SET Z_NAME = '\(name)' WHERE Z_NAME = 'Part'")
    let report = try bundledMigrator().verify(path)
    #expect(report.isPassed)
    // The model knows the latest of the old names only.
    let warnings = report.warnings.filter { $0.code == "entity-numbers" }
    #expect(warnings.count == (name == "Piece" ? 0 : 1))
    #expect(try bundledMigrator().status(of: path).entities.map(\.name) == ["List", "Part"])
    let next = schema(model([list, renamed, Entity(name: "Zed")]))
    _ = try bundledMigrator().apply(to: path, MigrationRequest(schema: next))
    #expect(
      try rows("SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT", in: path)
        == [[.text("List")], [.text("Part")], [.text("Zed")]])
  }

  @Test func `a name that no renaming explains is a failure`() throws {
    let path = try store(of: model([list, part()]))
    try Connection(path: path, mode: .readWrite)
      .execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Piece' WHERE Z_NAME = 'Part'")
    #expect(try !bundledMigrator().verify(path).isPassed)
  }
}
