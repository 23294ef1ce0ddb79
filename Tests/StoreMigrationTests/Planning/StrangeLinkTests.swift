import Migrations
import SQLite
import StoreFixtures
import StoreMigration
import StoreModel
import TestSupport
import Testing

/// Relationships that no longer lead to the entities of all rows that links lead to.
@Suite struct StrangeLinkTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  private static func schema(
    _ version: String, zebra parent: String, owned entity: String
  ) -> String {
    """
    { "format_version": 1, "app": "zoo", "version": "\(version)", "identifiers": ["\(version)"], "entities": [
      { "name": "Animal", "attributes": [{ "name": "name", "type": "String", "optional": true }] },
      { "name": "Horse", "parent": "Animal" }, { "name": "Zebra", "parent": "\(parent)" },
      { "name": "Owner", "relationships": [{ "name": "animal", "to": "\(entity)", "optional": true }] } ] }
    """
  }

  /// The entity numbers: Animal 1, Horse 2, Zebra 3 in every version.
  private func refusals(
    zebra parents: (String, String), owned entities: (String, String), owning number: Int
  ) throws -> [String] {
    let old = try SchemaFile(Self.schema("V1", zebra: parents.0, owned: entities.0))
    let new = try SchemaFile(Self.schema("V2", zebra: parents.1, owned: entities.1))
    try createFixture(
      app: "zoo", version: "V1", model: old.model, at: path, options: FixtureOptions(rows: 20))
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      let columns = try connection.rows(
        "SELECT name FROM pragma_table_info('ZOWNER') WHERE name LIKE 'Z%ANIMAL'")
      let row = "(SELECT min(Z_PK) FROM ZANIMAL WHERE Z_ENT = \(number))"
      for column in columns.compactMap(\.first?.string) {
        let value = column == "ZANIMAL" ? row : "\(number)"
        try connection.execute("UPDATE ZOWNER SET \(column) = \(value)")
      }
    }
    let migrator = try StoreMigrator([old, new], steps: [""])
    let planned = try migrator.plan(for: path).blockers.map(\.message)
    do throws(MigrationError) {
      _ = try migrator.apply(to: path)
      #expect(planned == [])
      #expect(try migrator.verify(path).isPassed)
    } catch {
      #expect(planned == ["\(error)"])
    }
    return planned
  }

  @Test func `links to rows that leave the entity are refused, others aren't`() throws {
    let refused = try refusals(
      zebra: ("Horse", "Animal"), owned: ("Horse", "Horse"), owning: 3)
    #expect(refused.count == 1)
    #expect(
      refused.first?.hasSuffix("of 'Owner.animal' lead to a row of another entity than 'Horse'")
        == true)
  }

  @Test(arguments: [
    ("Horse", "Animal", "Horse", "Horse", 2), ("Horse", "Animal", "Animal", "Animal", 3),
    ("Animal", "Animal", "Animal", "Horse", 2), ("Animal", "Animal", "Horse", "Animal", 2),
  ])
  func `links that the relationship still has are kept`(
    old: String, new: String, from: String, to: String, number: Int
  ) throws {
    #expect(try refusals(zebra: (old, new), owned: (from, to), owning: number) == [])
  }

  @Test func `links to rows of other entities than the new destination are refused`() throws {
    let refused = try refusals(
      zebra: ("Animal", "Animal"), owned: ("Animal", "Zebra"), owning: 2)
    #expect(refused.count == 1)
  }
}
