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

  private func version(
    _ name: String, _ properties: [Property], unique: [[String]] = []
  ) -> ModelVersion {
    let zebra = Entity(name: "Zebra", properties: properties, uniquenessConstraints: unique)
    let model = Model(
      entities: [zebra], versionIdentifiers: [name], configurations: ["default": ["Zebra"]])
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

  // MARK: Steps of the language

  /// Migrates the store by the drafted file, in which steps replace the decisions.
  private func migrate(
    _ path: String, by draft: DraftedMigration, deciding steps: [String],
    from old: ModelVersion, to new: ModelVersion
  ) throws -> [[String: Value]] {
    var lines = draft.text.split(separator: "\n").map(String.init)
    var remaining = steps.makeIterator()
    for index in lines.indices where lines[index].contains(#"{ "decide":"#) {
      let comma = lines[index].hasSuffix(",") ? "," : ""
      let step = remaining.next()
      lines[index] = try #require(step) + comma
    }
    let text = lines.joined(separator: "\n")
    let migration = try Migration(parsing: Array(text.utf8), file: "V1-V2.json")
    let migrator = StoreMigrator(
      catalog: Catalog(versions: [old, new], migrations: [migration]))
    var request = MigrationRequest()
    request.target = "V2"
    request.acceptedLosses = ["all"]
    _ = try migrator.apply(to: path, request)
    return try rows(of: "ZZEBRA", in: path)
  }

  @Test func `a mandatory UUID without default is offered as new-uuid`() throws {
    let old = version("V1", [text("name")])
    let new = version("V2", [text("name"), .attribute(Attribute(name: "id", type: .uuid))])
    let path = try store(at: old, [:])
    let draft = try migrator.draft(from: old, at: path, to: new, at: nil)
    let decision = try #require(draft.decisions.first)
    #expect(decision.question.example == #"{ "new-uuid": "Zebra.id" }"#)
    #expect(draft.text.contains("'new-uuid' makes a UUID for each row; it concerns 3 rows"))
    let migrated = try migrate(
      path, by: draft, deciding: [decision.question.example], from: old, to: new)
    #expect(Set(migrated.map { $0["ZID"] }).count == 3)
  }

  @Test func `a new type is offered as retype, with how many values it reads`() throws {
    let old = version("V1", [text("age"), text("born"), text("height")])
    let new = version(
      "V2",
      [
        .attribute(Attribute(name: "age", type: .integer16, isOptional: true)),
        .attribute(Attribute(name: "born", type: .date, isOptional: true)),
        .attribute(Attribute(name: "height", type: .double, isOptional: true)),
      ])
    let path = try store(
      at: old,
      [
        "ZAGE": ["7", "40000", "x"], "ZBORN": ["2020-01-02", "2021-03-04", nil],
        "ZHEIGHT": ["tall", "small", "1m"],
      ])
    let draft = try migrator.draft(from: old, at: path, to: new, at: nil)
    let questions = draft.decisions.map(\.question)
    #expect(
      questions.map(\.reason) == [
        "it changes from String to Integer 16; 'retype' reads 1 of 3 values",
        "it changes from String to Date; 'retype' reads 2 of 2 values",
        "it changes from String to Double; 'retype' reads 0 of 3 values",
      ])
    #expect(
      questions.map(\.example) == [
        #"{ "retype": "Zebra.age", "else": VALUE }"#,
        #"{ "retype": "Zebra.born", "format": "yyyy-MM-dd" }"#,
        #"{ "convert": "Zebra.height", "with": CONVERTER }"#,
      ])
    let steps = [
      questions[0].example.replacing("VALUE", with: "null"), questions[1].example,
      #"{ "drop": "Zebra.height" }, { "add": "Zebra.height" }"#,
    ]
    let migrated = try migrate(path, by: draft, deciding: steps, from: old, to: new)
    #expect(migrated.map { $0["ZAGE"]?.int64 } == [7, nil, nil])
    #expect(migrated.filter { $0["ZBORN"] != .null }.count == 2)
    // The models alone suggest the step, too.
    let byModel = try migrator.draft(from: old, at: nil, to: new, at: nil)
    #expect(byModel.decisions.map(\.question.example)[0] == #"{ "retype": "Zebra.age" }"#)
  }

  @Test func `equal rows are offered to unite where a constraint is new`() throws {
    let old = version("V1", [text("group"), text("name")])
    let new = version("V2", [text("group"), text("name")], unique: [["group", "name"]])
    let path = try store(at: old, ["ZGROUP": ["a", "a", "a"], "ZNAME": ["Ann", "Ann", "Bo"]])
    let draft = try migrator.draft(from: old, at: path, to: new, at: nil)
    let decision = try #require(draft.decisions.first)
    #expect(draft.decisions.count == 1 && decision.rows == 1)
    #expect(
      decision.question.example
        == #"{ "unite": "Zebra", "by": ["\"group\"", "name"], "keep": "first" }"#)
    #expect(draft.text.contains("'unite' removes the rows that equal another; it concerns 1 row"))
    #expect(try migrator.draft(from: old, at: nil, to: new, at: nil).decisions.isEmpty)
    #expect(try migrator.draft(from: new, at: path, to: new, at: nil).decisions.isEmpty)
    let migrated = try migrate(
      path, by: draft, deciding: [decision.question.example], from: old, to: new)
    #expect(migrated.map { $0["ZNAME"]?.string } == ["Ann", "Bo"])
    // NULL equals nothing.
    let apart = folder.path("apart.store")
    try createFixture(
      app: "Zoo", version: "V1", model: old.model, at: apart, options: FixtureOptions(rows: 20))
    try Connection(path: apart, mode: .readWrite).execute("UPDATE ZZEBRA SET ZNAME = NULL")
    #expect(try migrator.draft(from: old, at: apart, to: new, at: nil).decisions.isEmpty)
  }

  @Test func `few distinct values are offered as a map, and shown only on request`() throws {
    let old = version(
      "V1", [.attribute(Attribute(name: "state", type: .integer16, isOptional: true))])
    let new = version("V2", [text("state")])
    let path = try store(at: old, ["ZSTATE": ["12345", "12345", nil]])
    let masked = try migrator.draft(from: old, at: path, to: new, at: nil)
    let question = try #require(masked.decisions.first?.question)
    #expect(
      question.reason == "it changes from Integer 16 to String; 'retype' reads 2 of 2 values; "
        + "'map' can name 1 distinct value")
    #expect(
      question.example
        == #"{ "retype": "Zebra.state" } or { "map": "Zebra.state", "values": { OLD: NEW } }"#)
    let draft = try migrator.draft(from: old, at: path, to: new, at: nil, showsValues: true)
    #expect(!masked.text.contains("12345") && !draft.text.contains("12345"))
    let step = try #require(
      draft.decisions.first?.question.example.split(separator: " or ").last.map(String.init))
    #expect(step == #"{ "map": "Zebra.state", "values": { "12345": NEW } }"#)
    let migrated = try migrate(
      path, by: draft, deciding: [step.replacing("NEW", with: #""open""#)], from: old, to: new)
    #expect(migrated.map { $0["ZSTATE"]?.string } == ["open", "open", nil])
  }

  @Test func `a map of a secret has no values`() throws {
    let old = version(
      "V1", [.attribute(Attribute(name: "password", type: .integer16, isOptional: true))])
    let path = try store(at: old, ["ZPASSWORD": ["12345", "12345", nil]])
    let draft = try migrator.draft(
      from: old, at: path, to: version("V2", [text("password")]), at: nil, showsValues: true)
    #expect(draft.decisions.first?.question.example.contains("{ OLD: NEW }") == true)
  }
}
