import Platform
import SQLite
import StoreFormat
import StoreModel
import TestSupport
import Testing

@Suite struct FreshStoreTests {
  private static let model = Model(
    entities: [
      Entity(
        name: "Cocktail",
        properties: [
          .attribute(Attribute(name: "name", type: .string)),
          .relationship(
            Relationship(
              name: "garnish", destinationName: "Garnish", inverseName: "cocktails", maxCount: 0)),
        ], uniquenessConstraints: [["name"]]),
      Entity(
        name: "Garnish",
        properties: [
          .relationship(
            Relationship(
              name: "cocktails", destinationName: "Cocktail", inverseName: "garnish", maxCount: 0))
        ]),
      Entity(name: "Twist", superentityName: "Garnish"),
    ], versionIdentifiers: ["1.0.0"])

  private static let uuid = "0F0E0D0C-0B0A-0908-0706-050403020100"

  @Test func `tables come first, then indexes, system tables and history`() throws {
    let store = try FreshStore(model: Self.model, uuid: Self.uuid)
    let words: Set<Substring> = ["CREATE", "TABLE", "UNIQUE", "INDEX"]
    let made = store.createStatements.map { statement in
      statement.split(separator: " ").first { !words.contains($0) }.map(String.init)
    }
    #expect(
      made.prefix(12) == [
        "ZCOCKTAIL", "Z_1GARNISH", "ZGARNISH", "Z_1GARNISH_Z_2GARNISH_INDEX",
        "Z_Cocktail_UNIQUE_name", "ZGARNISH_Z_ENT_INDEX", "Z_PRIMARYKEY", "Z_METADATA",
        "Z_MODELCACHE", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING",
      ])
    #expect(made.count == 20)
  }

  @Test func `a store without history has none of its tables`() throws {
    let store = try FreshStore(model: Self.model, uuid: Self.uuid, hasHistory: false)
    #expect(store.createStatements.count == 9)
    #expect(!store.createStatements.contains { $0.contains("ACHANGE") })
  }

  @Test func `a store that was never saved to numbers its own entities alone`() throws {
    let directory = try TemporaryDirectory()
    let connection = try Connection(path: directory.path("store"), mode: .create)
    try FreshStore(model: Self.model, uuid: Self.uuid).write(to: connection)
    let description = try StoreDescription(reading: connection)
    #expect(
      description.entityNumbers == [
        StoreDescription.EntityNumber(number: 1, name: "Cocktail", superNumber: 0, maximumKey: 0),
        StoreDescription.EntityNumber(number: 2, name: "Garnish", superNumber: 0, maximumKey: 0),
        StoreDescription.EntityNumber(number: 3, name: "Twist", superNumber: 2, maximumKey: 0),
      ])
    #expect(description.cachedModel == Self.model)
    #expect(description.metadata?.uuid == Self.uuid)
    #expect(description.metadata?.frameworkVersion == 1_414)
    #expect(description.metadata?.checksum == VersionHashes(Self.model).checksum)
    #expect(try connection.pragma("auto_vacuum") == 2)
    // Page 2 is the pointer map, so the first table starts on page 3 (StoreFormat.md §2).
    #expect(
      try connection.value("SELECT rootpage FROM sqlite_schema WHERE name = 'ZCOCKTAIL'") == 3)
  }

  @Test func `a model that can't be archived is refused`() throws {
    let model = Model(entities: [
      Entity(
        name: "A", properties: [.relationship(Relationship(name: "b", destinationName: "B"))])
    ])
    let error = #expect(throws: ArchiveError.self) {
      try FreshStore(model: model, uuid: Self.uuid)
    }
    #expect(error?.description.contains("'B'") == true)
  }

  @Test func `the files of a database are found and removed one by one`() throws {
    let directory = try TemporaryDirectory()
    let files = StoreFiles(path: directory.path("default.store"))
    #expect(try files.firstExisting == nil)
    try FileSystem.create(files.journal, [])
    #expect(try files.firstExisting == files.journal)
    try FileSystem.create(files.path, [1])
    #expect(try files.firstExisting == files.path)
    try FileSystem.create(directory.path("other"), [])
    try files.removeDatabaseFiles()
    #expect(try directory.names == ["other"])
  }
}
