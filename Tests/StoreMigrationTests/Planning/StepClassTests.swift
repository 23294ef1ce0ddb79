import Migrations
import SQLite
import StoreFixtures
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration

/// The classes of rows in plans, and what files about them may say.
@Suite struct StepClassTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  private static func schema(_ version: String, entity: String, _ more: String = "") -> String {
    """
    { "format_version": 1, "app": "list", "version": "\(version)", "identifiers": ["\(version)"], "entities": [
      { "name": "\(entity)", "attributes": [
        { "name": "name", "type": "String" }, { "name": "rank", "type": "Double" }\(more)] } ] }
    """
  }

  private func makeStore(_ names: [String]) throws {
    let old = try SchemaFile(Self.schema("V1", entity: "Tag")).model
    try createFixture(
      app: "list", version: "V1", model: old, at: path,
      options: FixtureOptions(rows: names.count))
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("DELETE FROM ZTAG")
    for (place, name) in names.enumerated() {
      try connection.execute(
        "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZRANK) VALUES (?1, 1, 1, ?2, ?1)",
        [.integer(Int64(place + 1)), .text(name)])
    }
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(names.count)")
  }

  private func migrator(_ steps: String, _ more: String = "") throws -> StoreMigrator {
    try StoreMigrator(
      [
        SchemaFile(Self.schema("V1", entity: "Tag")),
        SchemaFile(Self.schema("V2", entity: "Label", more)),
      ], steps: [steps])
  }

  @Test func `a plan has classes for rows that go, and for new UUIDs`() throws {
    try makeStore(["a", "b", "a", "c", "d", "a", "d"])
    let migrator = try migrator(
      #"""
      { "delete": "Tag", "where": "name = 'c'", "because": "nobody uses it" },
      { "unite": "Tag", "by": ["name"], "keep": "newest rank" },
      { "rename": "Tag", "to": "Label" }, { "new-uuid": "Label.uid" }
      """#, #", { "name": "uid", "type": "UUID" }"#)
    let request = MigrationRequest(acceptedLosses: ["all"])
    let plan = try migrator.plan(for: path, request)
    #expect(
      plan.conversions.map {
        "\($0.object) \($0.target) \($0.rows) \($0.classes.map { "\($0.name) \($0.count)" })"
      } == [
        #"Tag.uid Label.uid 3 ["made 3"]"#, #"Tag Label 7 ["deleted 1", "kept 6"]"#,
        #"Tag Label 6 ["united 3", "kept 3"]"#,
      ])
    let report = try migrator.apply(to: path, request)
    #expect(report.conversions == plan.conversions)
    #expect(try rows(of: "ZLABEL", in: path).compactMap { $0["ZNAME"]?.string } == ["b", "a", "d"])
    #expect(try migrator.verify(path).isPassed)
  }

  @Test func `a plan counts the rows that formulas refuse, and has all the rest`() throws {
    try makeStore(["a", "b", "c", "a", "d"])
    let migrator = try migrator(
      #"""
      { "rename": "Tag", "to": "Label" }, { "new-uuid": "Label.uid" },
      { "map": "Label.name", "values": { "a": "A", "b": "B" } },
      { "require": "Label", "sql": "rank <> 4", "because": "four is odd here" }
      """#, #", { "name": "uid", "type": "UUID" }"#)
    let before = try rows(of: "ZTAG", in: path)
    let plan = try migrator.plan(for: path)
    let classes = plan.conversions.map {
      "\($0.target) \($0.rows) \($0.classes.map { "\($0.name) \($0.count)" })"
    }
    // Keys 3 and 5 have no name in the table, and key 4 isn't as required.
    #expect(classes.contains(#"Label.name 4 ["mapped 2", "nil 0", "refused 2"]"#), "\(classes)")
    #expect(classes.contains(#"Label.uid 2 ["made 2"]"#))
    #expect(plan.rowsWritten == 2)
    #expect(plan.steps.allSatisfy { $0.rows == 5 })
    let refusal = try #require(plan.refusals.first)
    #expect(plan.blockers == [refusal])
    #expect(refusal.entity == "Tag" && refusal.keys == [3, 4, 5] && refusal.rows == 3)
    #expect(refusal.exitStatus == .unknownStore)
    let error = #expect(throws: MigrationError.self) { try migrator.apply(to: path) }
    #expect(error?.description == refusal.message)
    #expect(try rows(of: "ZTAG", in: path) == before)
  }

  @Test(arguments: [
    (#"{ "1": 10, "1.0": 20 }"#, "'1' and '1.0'"),
    (#"{ "0": 10, "2": 1, "-0.0": 20 }"#, "'0' and '-0.0'"),
    (#"{ "100": 10, "1e2": 20 }"#, "'100' and '1e2'"),
  ])
  func `two keys of a table that are one number are refused`(table: String, keys: String) throws {
    try makeStore(["a"])
    let error = #expect(throws: MigrationError.self) {
      _ = try migrator(
        #"{ "map": "Tag.rank", "values": \#(table) }, { "rename": "Tag", "to": "Label" }"#
      ).plan(for: path)
    }
    #expect(
      error?.description.contains("the keys \(keys) of 'Tag.rank' are the same value") == true)
    _ = try migrator(
      #"{ "map": "Tag.rank", "values": { "1": 10, "1.5": 20 } }, { "rename": "Tag", "to": "Label" }"#
    ).plan(for: path)
  }

  @Test func `a mistake in what an entity requires names the entity alone`() throws {
    try makeStore(["a"])
    let error = #expect(throws: MigrationError.self) {
      _ = try migrator(
        #"{ "require": "Tag", "sql": "nam > 1", "because": "of it" }, { "rename": "Tag", "to": "Label" }"#
      ).plan(for: path)
    }
    #expect(
      error?.description.contains("the formula of 'Tag' can't be used") == true,
      "\(error?.description ?? "")")
  }

  @Test func `steps that delete rows of an entity and drop it have names of their own`() throws {
    try makeStore(["a", "b", "b"])
    let migrator = try StoreMigrator(
      [
        SchemaFile(Self.schema("V1", entity: "Tag")),
        SchemaFile(Self.schema("V2", entity: "Other")),
      ],
      steps: [
        #"{ "delete": "Tag", "where": "name = 'b'", "because": "b" }, { "drop": "Tag" }, { "add": "Other" }"#
      ])
    let losses = try migrator.plan(for: path).losses
    #expect(losses.map(\.step) == ["V1-V2:Tag", "V1-V2:Tag#2"])
    for accepted in ["V1-V2:Tag", "V1-V2:Tag#2"] {
      #expect(throws: MigrationError.self) {
        _ = try migrator.apply(to: path, MigrationRequest(acceptedLosses: [accepted]))
      }
    }
    let both = MigrationRequest(acceptedLosses: ["V1-V2:Tag", "V1-V2:Tag#2"])
    _ = try migrator.apply(to: path, both)
    #expect(try migrator.verify(path).isPassed)
  }

  /// The rows that become one were linked: the one that stays has no link, so it is in the group of
  /// rows without a link.
  @Test func `rows are numbered within the link that they have once rows are united`() throws {
    func schema(_ version: String, _ more: String) -> String {
      """
      { "format_version": 1, "app": "tree", "version": "\(version)", "identifiers": ["\(version)"], "entities": [
        { "name": "Node", "attributes": [{ "name": "name", "type": "String" }\(more)],
          "relationships": [
            { "name": "parent", "to": "Node", "inverse": "children", "optional": true },
            { "name": "children", "to": "Node", "max": 0, "inverse": "parent", "optional": true }] } ] }
      """
    }
    let old = try SchemaFile(schema("V1", ""))
    try createFixture(
      app: "tree", version: "V1", model: old.model, at: path, options: FixtureOptions(rows: 5))
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("DELETE FROM ZNODE")
      for (key, name, parent) in [(1, "x", 2), (2, "x", 0), (3, "y", 0), (4, "z", 1), (5, "w", 2)] {
        try connection.execute(
          "INSERT INTO ZNODE (Z_PK, Z_ENT, Z_OPT, ZNAME, ZPARENT) VALUES (?1, 1, 1, ?2, nullif(?3, 0))",
          [.integer(Int64(key)), .text(name), .integer(Int64(parent))])
      }
      try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 5")
    }
    let migrator = try StoreMigrator(
      [
        old, SchemaFile(schema("V2", #", { "name": "place", "type": "Integer 64" }"#)),
      ],
      steps: [
        #"{ "unite": "Node", "by": ["name"], "keep": "first" }, { "sequence": "Node.place", "by": ["name"], "within": "parent" }"#
      ])
    _ = try migrator.apply(to: path, MigrationRequest(acceptedLosses: ["all"]))
    #expect(
      try rows(of: "ZNODE", in: path).map { [$0["Z_PK"], $0["ZPARENT"], $0["ZPLACE"]] } == [
        [1, .null, 0], [3, .null, 1], [4, 1, 1], [5, 1, 0],
      ])
    #expect(try migrator.verify(path).isPassed)
  }
}

extension Plan {
  /// The blockers about rows that can't be written.
  var refusals: [PlanBlocker] { blockers.filter { $0.code == "row-refused" } }
}
