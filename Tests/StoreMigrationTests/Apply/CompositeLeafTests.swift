import Migrations
import RowInspection
import SQLite
import StoreFixtures
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration

/// Composite attributes that get leaves, or lose them: a struct or an enumeration that grows.
@Suite struct CompositeLeafTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  private static func leaf(_ name: String, _ type: String = "String", _ more: String = "") -> String
  {
    #"{ "name": "\#(name)", "type": "\#(type)"\#(more.isEmpty ? #", "optional": true"# : more) }"#
  }

  private static func schema(_ version: String, _ leaves: [String], of name: String = "author")
    throws -> SchemaFile
  {
    try SchemaFile(
      """
      { "format_version": 1, "app": "books", "version": "\(version)", "identifiers": ["\(version)"], "entities": [
        { "name": "Book", "attributes": [{ "name": "title", "type": "String", "optional": true },
          { "name": "\(name)", "type": "Composite", "optional": true, "elements": [\(leaves.joined(separator: ", "))] }] } ] }
      """)
  }

  private func make(_ schema: SchemaFile) throws -> [[String: Value]] {
    try createFixture(
      app: "books", version: "V1", model: schema.model, at: path, options: FixtureOptions(rows: 12))
    let rows = try rows(of: "ZBOOK", in: path)
    try #require(rows.contains { $0["ZGIVEN"] != .null } && rows.contains { $0["ZYEAR"] != .null })
    return rows
  }

  private static let old = [leaf("given"), leaf("family"), leaf("year", "Integer 64")]
  private static let grown = old + [leaf("role"), leaf("age", "Integer 64")]

  /// By a migration file, or inferred from the two models.
  @Test(arguments: [true, false])
  func `a composite gets leaves, and keeps its values`(hasFile: Bool) throws {
    let versions = [try Self.schema("V1", Self.old), try Self.schema("V2", Self.grown)]
    let before = try make(versions[0])
    let steps = #"{ "add": "Book.author.role" }, { "add": "Book.author.age" }"#
    let migrator = try StoreMigrator(versions, steps: hasFile ? [steps] : [])
    let request = hasFile ? MigrationRequest() : MigrationRequest(schema: versions[1])
    let plan = try migrator.plan(for: path, request)
    #expect(plan.blockers == [] && plan.isReversible)
    #expect(
      Set(plan.steps.map { "\($0.verb) \($0.object)" })
        == ["add Book.author.role", "add Book.author.age"])
    _ = try migrator.apply(to: path, request)
    #expect(try migrator.verify(path).isPassed)
    for (old, new) in zip(before, try rows(of: "ZBOOK", in: path)) {
      for (name, value) in old { #expect(new[name] == value, "\(name)") }
      #expect(new["ZROLE"] == .null && new["ZAGE"] == .null)
    }
    // The app writes one of the new leaves; it is parked, and comes back.
    try Connection(path: path, mode: .readWrite).execute(
      "UPDATE ZBOOK SET ZROLE = 'editor', ZGIVEN = 'other', Z_OPT = Z_OPT + 1 WHERE Z_PK = 1")
    _ = try migrator.rollback(path, laterWrites: .keep)
    #expect(try rows(of: "ZBOOK", in: path)[0]["ZGIVEN"] == "other")
    _ = try migrator.apply(to: path, request)
    #expect(try rows(of: "ZBOOK", in: path)[0]["ZROLE"] == "editor")
  }

  @Test(arguments: [true, false])
  func `a leaf that goes is a loss that must be accepted`(hasFile: Bool) throws {
    let versions = [
      try Self.schema("V1", Self.old), try Self.schema("V2", Array(Self.old.dropLast())),
    ]
    let before = try make(versions[0])
    let migrator = try StoreMigrator(
      versions, steps: hasFile ? [#"{ "drop": "Book.author.year" }"#] : [])
    let request = hasFile ? MigrationRequest() : MigrationRequest(schema: versions[1])
    let plan = try migrator.plan(for: path, request)
    let lost = before.count { $0["ZYEAR"] != .null }
    #expect(plan.losses.map(\.rows) == [Int64(lost)])
    #expect(plan.losses.map(\.object) == ["Book.author.year"])
    #expect(plan.blockers.map(\.exitStatus) == [.refused])
    let row = try #require(before.first { $0["ZYEAR"] != .null }?["Z_PK"]?.int64)
    let told = try migrator.explain("Book/\(row)", of: path, request)
    #expect(told.events.map(\.rule) == ["lost: it has no place in V2"])
    #expect(
      told.fates.contains { $0.target == nil && $0.sources.map(\.property) == ["author.year"] })
    var accepted = request
    accepted.acceptedLosses = [try #require(plan.losses.first?.step)]
    _ = try migrator.apply(to: path, accepted)
    #expect(try migrator.verify(path).isPassed)
    #expect(try rows(of: "ZBOOK", in: path).allSatisfy { $0["ZYEAR"] == nil })
    _ = try migrator.rollback(path)
    #expect(try rows(of: "ZBOOK", in: path) == before)
  }

  @Test func `a composite is renamed, and gets a leaf under its new name`() throws {
    let versions = [
      try Self.schema("V1", Self.old), try Self.schema("V2", Self.grown, of: "writer"),
    ]
    let before = try make(versions[0])
    let steps =
      #"{ "add": "Book.author.role" }, { "rename": "Book.author", "to": "writer" }, { "add": "Book.writer.age" }"#
    let migrator = try StoreMigrator(versions, steps: [steps])
    _ = try migrator.apply(to: path)
    #expect(
      try rows(of: "ZBOOK", in: path).map { $0["ZGIVEN"] } == before.map { $0["ZGIVEN"] })
    #expect(try migrator.verify(path).isPassed)
  }

  @Test func `rows with the composite get a new leaf's value, and others stay without it`() throws {
    let versions = [
      try Self.schema("V1", Self.old),
      try Self.schema("V2", Self.old + [Self.leaf("age", "Integer 64", "")]),
    ]
    let before = try make(versions[0])
    func hasAuthor(_ row: [String: Value]) -> Bool {
      ["ZGIVEN", "ZFAMILY", "ZYEAR"].contains { row[$0] != .null }
    }
    try Connection(path: path, mode: .readWrite).execute(
      "UPDATE ZBOOK SET ZGIVEN = NULL, ZFAMILY = NULL, ZYEAR = NULL WHERE Z_PK = 2")
    #expect(before.contains(where: hasAuthor))
    let migrator = try StoreMigrator(
      versions, steps: [#"{ "add": "Book.author.age", "default": 7 }"#])
    _ = try migrator.apply(to: path)
    #expect(try migrator.verify(path).isPassed)
    let after = try rows(of: "ZBOOK", in: path)
    #expect(after.allSatisfy { $0["ZAGE"] == (hasAuthor($0) ? 7 : .null) })
    #expect(after.contains { !hasAuthor($0) })
    // A mandatory leaf that was dropped returns with the least value, where the composite is.
    let back = try migrator.rollback(path, laterWrites: .keep)
    #expect(back.parked.isEmpty)
  }

  @Test func `a mandatory leaf of a renamed composite goes, and returns by a rollback`() throws {
    let old = [Self.leaf("given"), Self.leaf("year", "Integer 64", "")]
    let versions = [
      try Self.schema("V1", old), try Self.schema("V2", [Self.leaf("given")], of: "writer"),
    ]
    let before = try make(versions[0])
    let migrator = try StoreMigrator(
      versions,
      steps: [#"{ "rename": "Book.author", "to": "writer" }, { "drop": "Book.writer.year" }"#])
    _ = try migrator.apply(to: path, MigrationRequest(acceptedLosses: ["all"]))
    try Connection(path: path, mode: .readWrite).execute(
      "UPDATE ZBOOK SET ZGIVEN = 'later', Z_OPT = Z_OPT + 1 WHERE Z_PK = 1")
    _ = try migrator.rollback(path, laterWrites: .keep)
    let after = try rows(of: "ZBOOK", in: path)
    #expect(after[0]["ZGIVEN"] == "later")
    #expect(after.map { $0["ZYEAR"] } == before.map { $0["ZYEAR"] })
  }

  @Test(arguments: [
    (#"{ "add": "Book.author.role" }"#, "no step creates 'Book.author.age'"),
    (#"{ "add": "Book.author.given" }"#, "'Book.author.given' already exists"),
    (#"{ "add": "Book.author.rank" }"#, "'Book' has no property 'author.rank'"),
    (#"{ "add": "Book.editor.role" }"#, "'Book' has no property 'editor'"),
    (#"{ "drop": "Book.author.role" }"#, "'Book' has no property 'author.role'"),
    (#"{ "retype": "Book.author" }"#, "'Book.author' is a composite of several attributes"),
  ])
  func `a step that doesn't lead to the leaves is refused`(steps: String, reason: String) throws {
    let versions = [try Self.schema("V1", Self.old), try Self.schema("V2", Self.grown)]
    _ = try make(versions[0])
    let migrator = try StoreMigrator(versions, steps: [steps])
    let error = #expect(throws: MigrationError.self) { try migrator.plan(for: path) }
    #expect("\(try #require(error))".contains(reason), "\(String(describing: error))")
  }

  @Test func `a new mandatory leaf is a question, and a leaf of another type stays one`() throws {
    _ = try make(try Self.schema("V1", Self.old))
    for leaves in [
      Self.old + [Self.leaf("role", "String", #", "optional": false"#)],
      [Self.leaf("given", "Integer 64")] + Self.old.dropFirst(),
    ] {
      let schema = try Self.schema("V2", leaves)
      let migrator = try StoreMigrator([try Self.schema("V1", Self.old)], steps: [])
      let error = #expect(throws: MigrationError.self) {
        try migrator.plan(for: path, MigrationRequest(schema: schema))
      }
      #expect("\(try #require(error))".contains("Book.author"), "\(String(describing: error))")
    }
  }
}
