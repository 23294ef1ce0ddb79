import Migrations
import SQLite
import StoreFixtures
import StoreModel
import TestSupport
import Testing

@testable import MigrationAuthoring
@testable import StoreMigration

/// What `schema infer` reads from stores.
@Suite struct InferringTests {
  private let folder: TemporaryDirectory
  private let migrator: StoreMigrator

  init() throws {
    folder = try TemporaryDirectory()
    migrator = StoreMigrator(catalog: .bundled)
  }

  private func text(_ name: String) -> Property {
    .attribute(Attribute(name: name, type: .string, isOptional: true))
  }

  private func version(_ name: String, _ properties: [Property]) -> ModelVersion {
    let model = Model(
      entities: [Entity(name: "Zebra", properties: properties)], versionIdentifiers: [name],
      configurations: ["default": ["Zebra"]])
    return ModelVersion(SchemaFile(app: "Zoo", version: name, model: model))
  }

  /// Makes a store with three rows, whose columns have the given values.
  private func store(
    at version: ModelVersion, _ values: [String: [String?]]
  ) throws -> String {
    let path = folder.path("\(version.name).store")
    try createFixture(
      app: "Zoo", version: version.name, model: version.model, at: path,
      options: FixtureOptions(rows: 20, seed: 3))
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("DELETE FROM ZZEBRA WHERE Z_PK > 3")
    for (column, values) in values {
      for (index, value) in values.enumerated() {
        let literal = value.map { "'\($0)'" } ?? "NULL"
        try connection.execute("UPDATE ZZEBRA SET \(column) = \(literal) WHERE Z_PK = \(index + 1)")
      }
    }
    return path
  }

  @Test func `a decision is counted in the rows that it concerns`() throws {
    let old = version("V1", [text("age"), text("name")])
    let new = version(
      "V2",
      [
        .attribute(Attribute(name: "age", type: .integer64, isOptional: true)),
        .attribute(Attribute(name: "born", type: .date)),
        .attribute(Attribute(name: "name", type: .string)),
      ])
    let path = try store(at: old, ["ZAGE": ["1", "2", nil], "ZNAME": ["Marty", nil, nil]])
    let draft = try migrator.draft(from: old, at: path, to: new, at: nil)
    #expect(
      draft.decisions.map { "\($0.question.object) \($0.rows ?? -1)" } == [
        "Zebra.age 2", "Zebra.born 3", "Zebra.name 2",
      ])
    #expect(draft.text.contains("without a default; it concerns 3 rows"))
    #expect(
      try migrator.draft(from: old, at: nil, to: new, at: nil).decisions.allSatisfy {
        $0.rows == nil
      })
  }

  @Test func `similar names and like values suggest renames, each property in one`() throws {
    let old = version("V1", [text("category"), text("herd"), text("keeper")])
    let new = version("V2", [text("baseCategory"), text("group"), text("weather")])
    let path = try store(
      at: old,
      ["ZCATEGORY": ["a", "b", "c"], "ZHERD": ["x", "y", "y"], "ZKEEPER": ["Ann", nil, nil]])
    let newPath = try store(
      at: new,
      [
        "ZBASECATEGORY": ["k", "l", "m"], "ZGROUP": ["y", "z", nil],
        "ZWEATHER": ["rain", nil, nil],
      ])
    let draft = try migrator.draft(from: old, at: path, to: new, at: newPath)
    #expect(
      draft.renames.map { "\($0.properties.old) \($0.properties.new) \($0.values ?? -1)" } == [
        "Zebra.herd Zebra.group 3", "Zebra.category Zebra.baseCategory 3",
      ])
    // Without values, names decide.
    let byName = try migrator.draft(from: old, at: nil, to: new, at: nil)
    #expect(byName.renames.map(\.properties.new.property) == ["baseCategory"])
    // Nothing is guessed: the file drops and adds.
    #expect(draft.migration.steps.count == 6)
  }
}
