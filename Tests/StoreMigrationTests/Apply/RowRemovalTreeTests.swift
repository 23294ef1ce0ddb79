import Migrations
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import StoreProof
import TestSupport
import Testing

@testable import StoreMigration

/// Steps that delete and unite rows of sub-entities, and rows that are linked with each other.
@Suite struct RowRemovalTreeTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  private static func schema(_ version: String) -> String {
    """
    { "format_version": 1, "app": "zoo", "version": "\(version)", "identifiers": ["\(version)"], "entities": [
      { "name": "Animal", "attributes": [{ "name": "name", "type": "String", "optional": true }],
        "relationships": [
          { "name": "friends", "to": "Animal", "many": true, "max": 0, "optional": true, "inverse": "friendsOf" },
          { "name": "friendsOf", "to": "Animal", "many": true, "max": 0, "optional": true, "inverse": "friends" },
          { "name": "owners", "to": "Owner", "many": true, "max": 0, "optional": true, "inverse": "pet" }] },
      { "name": "Cat", "parent": "Animal" }, { "name": "Dog", "parent": "Animal" },
      { "name": "Owner",
        "relationships": [{ "name": "pet", "to": "Animal", "optional": true, "inverse": "owners" }] } ] }
    """
  }

  private static func model() throws -> Model {
    try SchemaFile(schema("V1")).model
  }

  private func migrator(_ step: String) throws -> StoreMigrator {
    try StoreMigrator(["V1", "V2"].map { try SchemaFile(Self.schema($0)) }, steps: [step])
  }

  /// Creates a store with the dogs 1 and 3 and the cat 2, all of one name, each with an owner.
  private func makeStore() throws -> (dog: Int64, cat: Int64, join: JoinTable) {
    let model = try Self.model()
    try createFixture(
      app: "zoo", version: "V1", model: model, at: path, options: FixtureOptions(rows: 0))
    let numbering = EntityNumbering(model)
    func number(_ name: String) -> Int64 { Int64(numbering.number(of: name) ?? 0) }
    let (dog, cat, owner) = (number("Dog"), number("Cat"), number("Owner"))
    let connection = try Connection(path: path, mode: .readWrite)
    let names = try StoreDescription(reading: connection).tableNames
    let join = try #require(StoreLayout(model, joinTableNames: names).joinTables.first)
    let animal = number("Animal")
    for name in ["ZANIMAL", "ZOWNER", join.name] { try connection.execute("DELETE FROM \(name)") }
    for (key, number) in [(1, dog), (2, cat), (3, dog)] {
      try connection.execute(
        "INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (\(key), \(number), 1, 'Rex')")
      try connection.execute(
        "INSERT INTO ZOWNER (Z_PK, Z_ENT, Z_OPT, ZPET, Z\(animal)_PET) VALUES (\(key), \(owner), 1, \(key), \(number))"
      )
    }
    try connection.execute(
      "INSERT INTO \(join.name) VALUES (1, 3), (3, 2), (1, 2), (2, 2)")
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, 10) WHERE Z_SUPER = 0")
    return (dog, cat, join)
  }

  private func owners() throws -> [[Value?]] {
    let animal = EntityNumbering(try Self.model()).number(of: "Animal") ?? 0
    return try rows(of: "ZOWNER", in: path).map { [$0["ZPET"], $0["Z\(animal)_PET"]] }
  }

  private func apply(_ step: String) throws -> StoreMigrator {
    let migrator = try migrator(step)
    try migrator.applyAndVerify(path, MigrationRequest(acceptedLosses: ["all"]))
    return migrator
  }

  @Test func `rows of one sub-entity are united, and links keep its number`() throws {
    let (dog, cat, join) = try makeStore()
    let before = try owners()
    let migrator = try apply(#"{ "unite": "Animal", "by": ["name"], "keep": "first" }"#)
    #expect(try rows(of: "ZANIMAL", in: path).map { $0["Z_PK"] } == [.integer(1), .integer(2)])
    #expect(
      try owners() == [
        [.integer(1), .integer(dog)], [.integer(2), .integer(cat)], [.integer(1), .integer(dog)],
      ])
    // The two dogs were friends; one isn't its own.
    let keys = [join.first.keyColumn, join.second.keyColumn]
    let links = try rows(of: join.name, in: path).map { row in keys.map { row[$0]?.int64 ?? 0 } }
    #expect(Set(links) == [[1, 2], [2, 2]] && links.count == 2)
    _ = try migrator.rollback(path)
    #expect(try owners() == before)
  }

  @Test func `a link to a deleted row of a sub-entity loses its number too`() throws {
    let (dog, _, join) = try makeStore()
    _ = try apply(#"{ "delete": "Cat", "where": "1", "because": "no cats" }"#)
    #expect(
      try owners() == [
        [.integer(1), .integer(dog)], [.null, .null], [.integer(3), .integer(dog)],
      ])
    #expect(try rows(of: join.name, in: path).count == 1)
  }
}
