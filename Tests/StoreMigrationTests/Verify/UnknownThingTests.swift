import PropertyList
import SQLite
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration
import Migrations

/// What no rule covers is named with its place, kept by a capture, and carried or refused by rule.
@Suite struct UnknownThingTests {
  let store: ZooStore

  init() throws {
    store = try ZooStore()
  }

  private var unknown: [String] {
    get throws {
      try bundledMigrator().verify(store.path).warnings.map(\.message)
        .filter { $0.hasPrefix("unknown: ") }
    }
  }

  private func apply() throws {
    let next = SchemaFile(
      app: "Zoo", version: "2",
      model: Model(
        entities: ZooStore.model.entities + [
          Entity(name: "Zed", properties: [.attribute(Attribute(name: "age", type: .integer16))])
        ], versionIdentifiers: ["2"], configurations: ["default": []]))
    _ = try bundledMigrator().apply(to: store.path, MigrationRequest(schema: next))
  }

  @Test func `a sound store has nothing unknown`() throws {
    #expect(try unknown == [])
  }

  @Test func `a key of the metadata is named and carried`() throws {
    try store.editMetadata { $0["AppKey"] = .string("kept") }
    try store.addLog()
    #expect(try unknown == ["unknown: the metadata has a key 'AppKey' that isn't Core Data's"])
    try apply()
    #expect(try unknown == ["unknown: the metadata has a key 'AppKey' that isn't Core Data's"])
  }

  @Test func `an index and a column of history are named and carried`() throws {
    try store.damage(
      """
      CREATE INDEX mine ON ZTAG (Z_OPT, Z_ENT);
      ALTER TABLE ACHANGE ADD COLUMN ZNEWER INTEGER
      """)
    try store.addLog()
    let expected = [
      "unknown: table 'ACHANGE' has a column 'ZNEWER' that no known system writes",
      "unknown: index 'mine' of table 'ZTAG' isn't the model's",
    ]
    #expect(try unknown == expected)
    try apply()
    #expect(try unknown == expected)
  }

  @Test(arguments: ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])
  func `a column of a system table is named and refused`(table: String) throws {
    try store.damage("ALTER TABLE \(table) ADD COLUMN Z_NEWER INTEGER")
    try store.addLog()
    let sentence = "table '\(table)' has a column 'Z_NEWER' that no known system writes"
    #expect(try unknown == ["unknown: " + sentence])
    let error = #expect(throws: MigrationError.self) { try apply() }
    #expect(error?.description.contains(sentence) == true)
  }
}
