import Foundation
import Platform
import SQLite
import StoreFormat
import StoreModel
import StoreFixtures
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Migrations between small models that no app has, one rule of the format each.
@Suite struct SmallModelTests {
  /// Makes a store of a model with rows, migrates it to another, and lends both.
  private func migrate(
    _ old: Model, to new: Model, setUp: String = "", accepting losses: [String] = ["all"],
    _ body: (borrowing Connection, String) throws -> Void
  ) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("default.store")
    try createFixture(
      app: "Zoo", version: "V1", model: old, at: path, options: FixtureOptions(rows: 20, seed: 3))
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(setUp)
    }
    let hash = try sha256(ofFile: path)
    let schema = SchemaFile(app: "Zoo", version: "V2", model: new)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, MigrationRequest(schema: schema, acceptedLosses: losses))
    let report = try migrator.verify(path)
    #expect(report.isPassed, "\(report.checks.filter { !$0.isPassed })")
    do {
      let connection = try Connection(path: path, mode: .readOnlyUnshared)
      try body(connection, path)
    }
    if setUp.isEmpty {
      _ = try migrator.rollback(path)
      #expect(try sha256(ofFile: path) == hash)
    }
  }

  private func model(_ entities: Entity..., version: String) -> Model {
    Model(
      entities: entities, versionIdentifiers: [version],
      configurations: ["default": entities.map(\.name)])
  }

  private func text(_ name: String, default value: ModelValue? = nil) -> Property {
    .attribute(Attribute(name: name, type: .string, isOptional: value == nil, defaultValue: value))
  }

  private let zebra = Entity(
    name: "Zebra",
    properties: [.attribute(Attribute(name: "name", type: .string, isOptional: true))])

  @Test func `a new entity before others moves their numbers everywhere`() throws {
    let old = model(zebra, version: "1.0.0")
    let ape = Entity(name: "Ape", properties: [text("name")])
    let new = model(ape, zebra, version: "2.0.0")
    try migrate(old, to: new) { connection, _ in
      let entities = try connection.rows("SELECT DISTINCT Z_ENT FROM ZZEBRA")
      #expect(entities == [[2]])
      let numbers = try connection.rows("SELECT DISTINCT ZENTITY FROM ACHANGE")
      #expect(numbers == [[2]])
      let new = try connection.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1")
      #expect(new == [[0]])
      let highest = try connection.value("SELECT max(Z_PK) FROM ZZEBRA")?.int64 ?? 1
      let maximum = try connection.value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 2")?.int64
      #expect(maximum ?? 0 >= highest)
    }
  }

  /// A keeper is a person, so that an animal's owner is named by entity and key.
  @Test func `links that name an entity follow its new number`() throws {
    let animal = Entity(
      name: "Animal",
      properties: [
        text("name"),
        .relationship(
          Relationship(
            name: "owner", destinationName: "Person", inverseName: "animals", maxCount: 1,
            isOptional: true)),
      ])
    let person = Entity(
      name: "Person",
      properties: [
        text("name"),
        .relationship(
          Relationship(
            name: "animals", destinationName: "Animal", inverseName: "owner", maxCount: 0,
            isOptional: true)),
      ])
    let keeper = Entity(name: "Keeper", superentityName: "Person", properties: [text("rank")])
    let bee = Entity(name: "Bee", properties: [text("name")])
    let old = model(animal, keeper, person, version: "1.0.0")
    let new = model(animal, bee, keeper, person, version: "2.0.0")
    let layout = StoreLayout(new, joinTableNames: [])
    let keyColumn = layout.table(of: "Animal")?.columns.first {
      if case .entityKey = $0.content { true } else { false }
    }
    let column = try #require(keyColumn).name
    try migrate(old, to: new) { connection, _ in
      let links = try connection.rows(
        """
        SELECT a.\(column), p.Z_ENT FROM ZANIMAL a JOIN ZPERSON p ON p.Z_PK = a.ZOWNER
        """)
      #expect(!links.isEmpty)
      #expect(links.allSatisfy { $0[0] == $0[1] && ($0[0] == 3 || $0[0] == 4) }, "\(links)")
    }
  }

  @Test func `history of a removed entity goes with it`() throws {
    let ape = Entity(name: "Ape", properties: [text("name")])
    let old = model(ape, zebra, version: "1.0.0")
    try migrate(old, to: model(zebra, version: "2.0.0")) { connection, _ in
      let numbers = try connection.rows("SELECT DISTINCT ZENTITY FROM ACHANGE")
      #expect(numbers == [[1]])
      let tables = try connection.rows("SELECT 1 FROM sqlite_schema WHERE name = 'ZAPE'")
      #expect(tables.isEmpty)
    }
  }

  @Test func `rows of a removed entity are a loss to be accepted`() throws {
    let ape = Entity(name: "Ape", properties: [text("name")])
    let old = model(ape, zebra, version: "1.0.0")
    let error = #expect(throws: MigrationError.self) {
      try migrate(old, to: model(zebra, version: "2.0.0"), accepting: []) { _, _ in }
    }
    #expect(error?.exitStatus == .refused)
    #expect(error?.description.contains("'1.0.0-V2:Ape'") == true)
  }

  @Test func `a default fills every row, whether the attribute is optional or not`() throws {
    let striped = Entity(
      name: "Zebra",
      properties: [
        text("name"), text("kind", default: .string("plains")),
        .attribute(
          Attribute(name: "age", type: .integer16, isOptional: true, defaultValue: .integer(7))),
        .attribute(Attribute(name: "note", type: .string, isOptional: true)),
      ])
    let old = model(zebra, version: "1.0.0")
    try migrate(old, to: model(striped, version: "2.0.0")) { connection, _ in
      let filled = try connection.rows("SELECT DISTINCT ZKIND, ZAGE, ZNOTE FROM ZZEBRA")
      #expect(filled == [["plains", 7, .null]])
    }
  }

  @Test func `renaming identifiers are followed, for entities and attributes`() throws {
    let horse = Entity(
      name: "Horse",
      properties: [
        .attribute(
          Attribute(name: "title", type: .string, isOptional: true, renamingIdentifier: "name"))
      ], renamingIdentifier: "Zebra")
    let old = model(zebra, version: "1.0.0")
    try migrate(
      old, to: model(horse, version: "2.0.0"), setUp: "UPDATE ZZEBRA SET ZNAME = 'n' || Z_PK"
    ) { connection, _ in
      let strays = try connection.value("SELECT count(*) FROM ZHORSE WHERE ZTITLE != 'n' || Z_PK")
      #expect(strays == 0)
    }
  }

  @Test func `an attribute of sub-entities becomes their super-entity's`() throws {
    let dog = Entity(name: "Dog", superentityName: "Pet", properties: [text("call")])
    let cat = Entity(name: "Cat", superentityName: "Pet", properties: [text("call")])
    let old = model(Entity(name: "Pet", isAbstract: true), dog, cat, version: "1.0.0")
    let new = model(
      Entity(name: "Pet", isAbstract: true, properties: [text("call")]),
      Entity(name: "Dog", superentityName: "Pet"), Entity(name: "Cat", superentityName: "Pet"),
      version: "2.0.0")
    try migrate(
      old, to: new,
      setUp:
        "UPDATE ZPET SET ZCALL = 'c' || Z_PK WHERE Z_ENT = 2; UPDATE ZPET SET ZCALL1 = 'd' || Z_PK WHERE Z_ENT = 3"
    ) { connection, _ in
      let strays = try connection.value(
        "SELECT count(*) FROM ZPET WHERE ZCALL != CASE Z_ENT WHEN 2 THEN 'c' ELSE 'd' END || Z_PK")
      #expect(strays == 0)
      let named = try connection.value("SELECT count(*) FROM ZPET WHERE ZCALL IS NOT NULL")?.int64
      #expect(named ?? 0 > 0)
    }
  }

  @Test func `an attribute that moves up under a new name keeps its values`() throws {
    let call = Property.attribute(
      Attribute(name: "call", type: .string, isOptional: true, renamingIdentifier: "bark"))
    let old = model(
      Entity(name: "Pet", isAbstract: true),
      Entity(name: "Dog", superentityName: "Pet", properties: [text("bark")]), version: "1.0.0")
    let new = model(
      Entity(name: "Pet", isAbstract: true, properties: [call]),
      Entity(name: "Dog", superentityName: "Pet"), version: "2.0.0")
    #expect(AppMigration(from: old, to: new).effects == [])
    try migrate(
      old, to: new, setUp: "UPDATE ZPET SET ZBARK = 'b' || Z_PK", accepting: []
    ) { connection, _ in
      let rows = try connection.rows("SELECT count(*), sum(ZCALL = 'b' || Z_PK) FROM ZPET")
      #expect(rows[0][0] == rows[0][1] && rows[0][0] != .integer(0))
    }
  }

  @Test(arguments: ["call", "bark"])
  func `an attribute that moves down keeps the values of the sub-entities that have it`(
    name: String
  ) throws {
    let call = Property.attribute(
      Attribute(
        name: name, type: .string, isOptional: true,
        renamingIdentifier: name == "call" ? nil : "call"))
    let old = model(
      Entity(name: "Pet", properties: [text("call")]), Entity(name: "Cat", superentityName: "Pet"),
      Entity(name: "Dog", superentityName: "Pet"), version: "1.0.0")
    let new = model(
      Entity(name: "Pet"), Entity(name: "Cat", superentityName: "Pet"),
      Entity(name: "Dog", superentityName: "Pet", properties: [call]), version: "2.0.0")
    #expect(
      AppMigration(from: old, to: new).effects
        == [.valuesDropped(PropertyPath(entity: "Pet", property: "call"))])
    let setUp = "UPDATE ZPET SET ZCALL = 'c' || Z_PK"
    let error = #expect(throws: MigrationError.self) {
      try migrate(old, to: new, setUp: setUp, accepting: []) { _, _ in }
    }
    #expect(error?.exitStatus == .refused)
    try migrate(old, to: new, setUp: setUp) { connection, _ in
      let rows = try connection.rows(
        """
        SELECT count(*), sum(Z\(name.uppercased()) = 'c' || p.Z_PK) FROM ZPET p
        JOIN Z_PRIMARYKEY k USING (Z_ENT) WHERE k.Z_NAME = 'Dog'
        """)
      #expect(rows[0][0] == rows[0][1] && rows[0][0] != .integer(0))
    }
  }

  @Test func `attributes of a super-entity that is removed keep their values`() throws {
    let old = model(
      Entity(name: "Pet", isAbstract: true, properties: [text("call")]),
      Entity(name: "Cat", superentityName: "Pet", properties: [text("fur")]),
      Entity(name: "Dog", superentityName: "Pet", properties: [text("bark")]),
      version: "1.0.0")
    let new = model(
      Entity(name: "Feline", properties: [text("call"), text("fur")], renamingIdentifier: "Cat"),
      Entity(name: "Dog", properties: [text("call"), text("bark")]), version: "2.0.0")
    let setUp = """
      UPDATE ZPET SET ZCALL = 'c' || Z_PK;
      UPDATE ZPET SET ZFUR = 'o' || Z_PK WHERE Z_ENT = 2;
      UPDATE ZPET SET ZBARK = 'o' || Z_PK WHERE Z_ENT = 3
      """
    try migrate(old, to: new, setUp: setUp, accepting: []) { connection, _ in
      for (table, own) in [("ZFELINE", "ZFUR"), ("ZDOG", "ZBARK")] {
        let rows = try connection.rows(
          "SELECT count(*), sum(ZCALL = 'c' || Z_PK AND \(own) = 'o' || Z_PK) FROM \(table)")
        #expect(rows[0][0] == rows[0][1] && rows[0][0] != .integer(0))
      }
    }
  }

  @Test func `what is lost in several tables is one loss`() throws {
    let subs = ["Cat", "Dog"]
    let old = model(
      Entity(name: "Pet", isAbstract: true, properties: [text("call")]),
      Entity(name: subs[0], superentityName: "Pet"), Entity(name: subs[1], superentityName: "Pet"),
      version: "1.0.0")
    let new = model(Entity(name: subs[0]), Entity(name: subs[1]), version: "2.0.0")
    let setUp = "UPDATE ZPET SET ZCALL = 'c'"
    let error = #expect(throws: MigrationError.self) {
      try migrate(old, to: new, setUp: setUp, accepting: []) { _, _ in }
    }
    let parts = error?.description.components(separatedBy: "'1.0.0-V2:Pet'") ?? []
    #expect(parts.count == 2)
    try migrate(old, to: new, setUp: setUp, accepting: ["1.0.0-V2:Pet"]) { connection, _ in
      for table in ["ZCAT", "ZDOG"] {
        let rows = try connection.value("SELECT count(*) FROM \(table)")
        #expect(rows != .integer(0))
      }
    }
  }

  @Test func `a many-to-many relationship within one entity isn't made`() throws {
    let herd = Entity(
      name: "Zebra",
      properties: [
        text("name"),
        .relationship(
          Relationship(
            name: "friends", destinationName: "Zebra", inverseName: "friendOf", maxCount: 0)),
        .relationship(
          Relationship(
            name: "friendOf", destinationName: "Zebra", inverseName: "friends", maxCount: 0)),
      ])
    let error = #expect(throws: MigrationError.self) {
      try migrate(model(zebra, version: "1.0.0"), to: model(herd, version: "2.0.0")) { _, _ in }
    }
    #expect(error?.exitStatus == .unknownStore)
    #expect(error?.description.contains("differs from store to store; only the app") == true)
  }

  @Test func `links of a removed relationship are a loss to be accepted`() throws {
    let keeper = Entity(
      name: "Keeper",
      properties: [
        .relationship(
          Relationship(
            name: "zebras", destinationName: "Zebra", inverseName: "keeper", maxCount: 0))
      ])
    let kept = Entity(
      name: "Zebra",
      properties: [
        text("name"),
        .relationship(
          Relationship(name: "keeper", destinationName: "Keeper", inverseName: "zebras")),
      ])
    let old = model(keeper, kept, version: "1.0.0")
    let new = model(Entity(name: "Keeper"), zebra, version: "2.0.0")
    let link = "UPDATE ZZEBRA SET ZKEEPER = (SELECT min(Z_PK) FROM ZKEEPER)"
    let error = #expect(throws: MigrationError.self) {
      try migrate(old, to: new, setUp: link, accepting: []) { _, _ in }
    }
    #expect(error?.exitStatus == .refused)
    #expect(error?.description.contains("'1.0.0-V2:Zebra.keeper'") == true)
    try migrate(old, to: new, setUp: link) { connection, _ in
      let columns = try connection.rows("PRAGMA table_info(ZZEBRA)").compactMap { $0[1].string }
      #expect(columns == ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME"])
    }
  }

  @Test func `links to rows of a removed sub-entity are refused`() throws {
    let person = Entity(
      name: "Person",
      properties: [
        text("name"),
        .relationship(
          Relationship(
            name: "zebras", destinationName: "Zebra", inverseName: "owners", maxCount: 0)),
      ])
    let owned = Entity(
      name: "Zebra",
      properties: [
        text("name"),
        .relationship(
          Relationship(
            name: "owners", destinationName: "Person", inverseName: "zebras", maxCount: 0)),
      ])
    let keeper = Entity(name: "Keeper", superentityName: "Person", properties: [text("rank")])
    let old = model(keeper, person, owned, version: "1.0.0")
    let new = model(person, owned, version: "2.0.0")
    let (link, message) = (
      "INSERT OR IGNORE INTO Z_1ZEBRAS SELECT p.Z_PK, z.Z_PK FROM ZPERSON p, ZZEBRA z WHERE p.Z_ENT",
      "'Zebra.owners' links rows with those of an entity that the migration removes: "
    )
    let error = #expect(throws: MigrationError.self) {
      try migrate(old, to: new, setUp: "\(link) = 2") { _, _ in }
    }
    #expect(error?.exitStatus == .verificationFailed)
    #expect(error?.description.contains(message) == true)
    try migrate(old, to: new, setUp: "DELETE FROM Z_1ZEBRAS; \(link) = 1") { connection, _ in
      let kept = try connection.value("SELECT count(*) FROM Z_1ZEBRAS")?.int64
      #expect(kept ?? 0 > 0)
    }
  }

  @Test func `a sub-entity's keys stay known under a new root`() throws {
    let bear = Entity(name: "Bear", superentityName: "Ape", properties: [text("rank")])
    let old = model(Entity(name: "Ape", properties: [text("name")]), bear, version: "1.0.0")
    let new = model(
      Entity(name: "Pet"),
      Entity(name: "Bear", superentityName: "Pet", properties: [text("rank")]), version: "2.0.0")
    let error = #expect(throws: MigrationError.self) {
      try migrate(
        old, to: new, setUp: "DELETE FROM ZAPE WHERE Z_ENT = 1; UPDATE ZAPE SET ZNAME = 'n'",
        accepting: []
      ) { _, _ in }
    }
    // What the bears inherited is lost with the apes' entity.
    #expect(error?.exitStatus == .refused)
    try migrate(old, to: new) { connection, _ in
      let highest = try connection.value("SELECT max(Z_PK) FROM ZPET")?.int64 ?? .max
      let maximum = try connection.value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Pet'")
      #expect(maximum?.int64 ?? 0 >= highest)
    }
  }

  @Test func `rows get no properties from a new super-entity`() throws {
    let bear = Entity(name: "Bear", properties: [text("name")])
    let new = model(
      Entity(name: "Pet", properties: [text("name")]), Entity(name: "Bear", superentityName: "Pet"),
      version: "2.0.0")
    let error = #expect(throws: MigrationError.self) {
      try migrate(model(bear, version: "1.0.0"), to: new) { _, _ in }
    }
    #expect(error?.exitStatus == .unknownStore)
    #expect(error?.description.contains("'Bear' gets the new super-entity 'Pet'") == true)
  }

  @Test func `rows of an entity that becomes abstract are refused`() throws {
    func pets(_ version: String, isAbstract: Bool) -> Model {
      model(
        Entity(name: "Cat", superentityName: "Pet", properties: [text("fur")]),
        Entity(name: "Pet", isAbstract: isAbstract, properties: [text("call")]), version: version)
    }
    let (old, new) = (pets("1.0.0", isAbstract: false), pets("2.0.0", isAbstract: true))
    let error = #expect(throws: MigrationError.self) { try migrate(old, to: new) { _, _ in } }
    #expect(error?.exitStatus == .verificationFailed)
    #expect(
      error?.description.contains("rows of 'Pet' have the number of an abstract entity") == true)
    try migrate(old, to: new, setUp: "DELETE FROM ZPET WHERE Z_ENT = 1") { _, _ in }
  }

  @Test func `an entity keeps the super-entity in whose table its rows are`() throws {
    let pet = Entity(name: "Pet", properties: [text("call")])
    func cat(under name: String?) -> Entity {
      Entity(name: "Cat", superentityName: name, properties: [text("fur")])
    }
    let error = #expect(throws: MigrationError.self) {
      try migrate(
        model(cat(under: "Pet"), pet, version: "1.0.0"),
        to: model(cat(under: nil), pet, version: "2.0.0")
      ) { _, _ in }
    }
    #expect(error?.exitStatus == .unknownStore)
    #expect(error?.description.contains("'Cat' no longer inherits from 'Pet'") == true)
  }

  @Test func `later rows go back to a super-entity that a migration removed`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("default.store")
    let old = model(
      Entity(name: "Animal", properties: [text("name")]),
      Entity(name: "Dog", superentityName: "Animal", properties: [text("rank")]), version: "1.0.0")
    try createFixture(
      app: "Zoo", version: "V1", model: old, at: path, options: FixtureOptions(rows: 20, seed: 3))
    let new = model(Entity(name: "Dog", properties: [text("rank")]), version: "2.0.0")
    let migrator = try bundledMigrator()
    let schema = SchemaFile(app: "Zoo", version: "V2", model: new)
    _ = try migrator.apply(to: path, MigrationRequest(schema: schema, acceptedLosses: ["all"]))
    let key: Value
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      key = try #require(try connection.value("SELECT max(Z_PK) FROM ZDOG"))
      try connection.execute("UPDATE ZDOG SET ZRANK = 'later' WHERE Z_PK = ?1", [key])
    }
    _ = try migrator.rollback(path, laterWrites: .keep)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let rank = try connection.value("SELECT ZRANK FROM ZANIMAL WHERE Z_PK = ?1", [key])
    #expect(rank == .text("later"))
  }

  @Test(arguments: [["Dog"], ["Cat", "Dog"]])
  func `later rows go back to a super-entity whose attribute moved down, if one entity had it`(
    names: [String]
  ) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("default.store")
    func all(_ entities: [Entity], version: String) -> Model {
      Model(
        entities: entities, versionIdentifiers: [version],
        configurations: ["default": entities.map(\.name)])
    }
    let old = all(
      [Entity(name: "Pet", isAbstract: true, properties: [text("call")])]
        + names.map { Entity(name: $0, superentityName: "Pet") }, version: "1.0.0")
    let new = all(
      names.map { Entity(name: $0, properties: [text("call")]) }, version: "2.0.0")
    try createFixture(
      app: "Zoo", version: "V1", model: old, at: path, options: FixtureOptions(rows: 20, seed: 3))
    let hash = try sha256(ofFile: path)
    let migrator = try bundledMigrator()
    let schema = SchemaFile(app: "Zoo", version: "V2", model: new)
    _ = try migrator.apply(to: path, MigrationRequest(schema: schema))
    let key: Value
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      key = try #require(try connection.value("SELECT max(Z_PK) FROM ZDOG"))
      try connection.execute("UPDATE ZDOG SET ZCALL = 'later' WHERE Z_PK = ?1", [key])
    }
    if names.count == 1 {
      _ = try migrator.rollback(path, laterWrites: .keep)
      let connection = try Connection(path: path, mode: .readOnlyUnshared)
      let call = try connection.value("SELECT ZCALL FROM ZPET WHERE Z_PK = ?1", [key])
      #expect(call == .text("later"))
    } else {
      // New rows of two tables may have equal keys.
      let error = #expect(throws: MigrationError.self) {
        try migrator.rollback(path, laterWrites: .keep)
      }
      #expect(error?.description.contains("give '--discard-changes'") == true)
      _ = try migrator.rollback(path, laterWrites: .discard)
      #expect(try sha256(ofFile: path) == hash)
    }
  }

  @Test func `links know the entity of rows that get a new super-entity`() throws {
    func owner(of entity: String) -> Entity {
      Entity(
        name: "Owner",
        properties: [
          .relationship(
            Relationship(
              name: "pet", destinationName: entity, inverseName: "owners", maxCount: 1,
              isOptional: true))
        ])
    }
    let owners = Property.relationship(
      Relationship(
        name: "owners", destinationName: "Owner", inverseName: "pet", maxCount: 0, isOptional: true)
    )
    let old = model(
      owner(of: "Bear"), Entity(name: "Bear", properties: [text("name"), owners]),
      version: "1.0.0")
    let new = model(
      owner(of: "Bear"), Entity(name: "Pet"),
      Entity(name: "Bear", superentityName: "Pet", properties: [text("name"), owners]),
      Entity(name: "Cub", superentityName: "Bear"), version: "2.0.0")
    try migrate(old, to: new) { connection, _ in
      let number = try connection.value("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Bear'")
      let column = try #require(
        try connection.rows("PRAGMA table_info(ZOWNER)").compactMap { $0[1].string }
          .first { $0.hasSuffix("_PET") })
      let numbers = try connection.rows(
        "SELECT DISTINCT \(column) FROM ZOWNER WHERE ZPET IS NOT NULL"
      ).map { $0[0] }
      #expect(numbers == [try #require(number)])
    }
  }

  @Test func `an index whose name changes in case is made as the new model has it`() throws {
    func indexed(_ name: String, isAscending: Bool) -> Entity {
      Entity(
        name: "Zebra", properties: [text("name")],
        indexes: [
          FetchIndex(
            name: name,
            elements: [FetchIndex.Element(propertyName: "name", isAscending: isAscending)])
        ])
    }
    let old = model(indexed("name", isAscending: true), version: "1.0.0")
    let zulu = Entity(name: "Zulu", properties: [text("name")])
    let new = model(indexed("NAME", isAscending: false), zulu, version: "2.0.0")
    try migrate(old, to: new) { connection, _ in
      let indexes = try connection.rows(
        "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'ZZEBRA'")
      #expect(indexes == [["CREATE INDEX Z_Zebra_NAME ON ZZEBRA (ZNAME COLLATE BINARY DESC)"]])
    }
  }
}
