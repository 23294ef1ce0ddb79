import Migrations
import SQLite
import StoreFixtures
import StoreMigration
import StoreModel
import TestSupport
import Testing

/// The rows that a step about a property concerns are also those of sub-entities.
@Suite struct HeirCountTests {
  private func model(_ version: String, _ name: Attribute, _ heirs: [String]) -> Model {
    let heirs = heirs.map { Entity(name: $0, superentityName: "Animal") }
    let entities = [Entity(name: "Animal", properties: [.attribute(name)])] + heirs
    return Model(
      entities: entities, versionIdentifiers: [version],
      configurations: ["default": entities.map(\.name)])
  }

  private func attribute(_ name: String, formerly identifier: String? = nil) -> Attribute {
    Attribute(name: name, type: .string, isOptional: true, renamingIdentifier: identifier)
  }

  @Test func `a property's step counts the rows of sub-entities that stay`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("default.store")
    try createFixture(
      app: "Zoo", version: "V1", model: model("1", attribute("name"), ["Cat", "Dog"]), at: path,
      options: FixtureOptions(rows: 20, seed: 3))
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    func count(_ number: Int) throws -> Int64 {
      try connection.value("SELECT count(*) FROM ZANIMAL WHERE Z_ENT = \(number)")?.int64 ?? 0
    }
    // The numbers are those of the names in order.
    let (animals, cats, dogs) = (try count(1), try count(2), try count(3))
    #expect(animals > 0 && cats > 0 && dogs > 0)
    let target = model("2", attribute("title", formerly: "name"), ["Dog"])
    let plan = try StoreMigrator(catalog: Catalog(versions: [], migrations: [])).plan(
      for: path,
      MigrationRequest(schema: SchemaFile(app: "Zoo", version: "V2", model: target)))
    let rows = Dictionary(
      plan.steps.map { ("\($0.verb) \($0.object)", $0.rows) }, uniquingKeysWith: +)
    #expect(rows == ["drop Cat": cats, "rename Animal.name": animals + dogs])
  }
}
