import Migrations
import SQLite
import StoreFixtures
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration

/// The masks in the history, whose bits stand for the properties of an entity.
@Suite struct ChangeMaskTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  private static func schema(
    _ version: String, a: String, link: String, rest: String
  ) throws -> SchemaFile {
    try SchemaFile(
      """
      { "format_version": 1, "app": "log", "version": "\(version)", "identifiers": ["\(version)"], "entities": [
        { "name": "A", "attributes": [{ "name": "s", "type": "String", "optional": true }\(a)],
          "relationships": [{ "name": "b", "to": "B", "optional": true\(link), "inverse": "as" }] },
        { "name": "B", "attributes": [{ "name": "s", "type": "String", "optional": true }],
          "relationships": [{ "name": "as", "to": "A", "optional": true, "many": true, "max": 0, "inverse": "b" }] }\(rest) ] }
      """)
  }

  private static let many = #", "many": true, "max": 0"#
  private static let added = #", { "name": "r", "type": "String", "optional": true }"#
  private static let transient =
    #", { "name": "r", "type": "String", "optional": true, "transient": true }"#
  private static let heir = #", { "name": "C", "parent": "B" }"#

  struct Change: CustomStringConvertible {
    let description: String
    var steps = ""
    var old = ("", "", "")
    var new = ("", "", "")

    /// The entities whose masks lose their meaning.
    let emptied: Set<Int64>
  }

  private static let changes = [
    Change(description: "nothing", emptied: []),
    Change(
      description: "an attribute", steps: #"{ "add": "A.r" }"#, new: (added, "", ""), emptied: [1]),
    Change(
      description: "a transient attribute", new: (transient, "", ""), emptied: []),
    Change(
      description: "transient becomes stored", steps: #"{ "add": "A.r" }"#,
      old: (transient, "", ""), new: (added, "", ""), emptied: [1]),
    Change(
      description: "stored becomes transient", steps: #"{ "drop": "A.r" }"#,
      old: (added, "", ""), new: (transient, "", ""), emptied: [1]),
    Change(
      description: "two names are swapped",
      steps:
        #"{ "rename": "A.r", "to": "t" }, { "rename": "A.s", "to": "r" }, { "rename": "A.t", "to": "s" }"#,
      old: (added, "", ""), new: (added, "", ""), emptied: [1]),
    Change(
      description: "an attribute takes the place of another of its name",
      steps: #"{ "drop": "A.s" }, { "add": "A.s" }"#, emptied: [1]),
    Change(
      description: "to-one becomes to-many", steps: #"{ "relink": "A.b" }"#,
      new: ("", many, ""), emptied: [1]),
    // The link gets a column for the entity of the linked row.
    Change(
      description: "the destination gets a sub-entity", steps: #"{ "add": "C" }"#,
      new: ("", "", heir), emptied: [1]),
  ]

  @Test(arguments: changes.indices)
  func `a mask goes if its bits stand for other properties`(place: Int) throws {
    let change = Self.changes[place]
    func schema(_ version: String, _ parts: (String, String, String)) throws -> SchemaFile {
      try Self.schema(version, a: parts.0, link: parts.1, rest: parts.2)
    }
    let old = try schema("V1", change.old)
    try createFixture(
      app: "log", version: "V1", model: old.model, at: path, options: FixtureOptions(rows: 12))
    try Connection(path: path, mode: .readWrite).execute(
      "UPDATE ACHANGE SET ZCHANGETYPE = 1, ZCOLUMNS = x'c0', ZENTITY = Z_PK % 2 + 1")
    let count = try rows(of: "ACHANGE", in: path).count
    try #require(count > 2)
    let migrator = try StoreMigrator([old, schema("V2", change.new)], steps: [change.steps])
    _ = try migrator.apply(to: path, MigrationRequest(acceptedLosses: ["all"]))
    let emptied = try rows(of: "ACHANGE", in: path).filter { $0["ZCOLUMNS"] == .null }
      .compactMap { $0["ZENTITY"]?.int64 }
    #expect(Set(emptied) == change.emptied, "\(change)")
    #expect(try rows(of: "ACHANGE", in: path).count == count)
  }
}
