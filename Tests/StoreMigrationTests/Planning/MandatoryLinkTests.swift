import Migrations
import SQLite
import StoreFixtures
import StoreMigration
import StoreModel
import TestSupport
import Testing

/// To-one relationships that become mandatory while rows lack them.
@Suite struct MandatoryLinkTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  private static func schema(_ version: String, _ options: String) -> String {
    """
    { "format_version": 1, "app": "notes", "version": "\(version)", "identifiers": ["\(version)"], "entities": [
      { "name": "Folder", "relationships": [{ "name": "notes", "to": "Note", "max": 0, "inverse": "folder" }] },
      { "name": "Note", "attributes": [{ "name": "text", "type": "String", "optional": true }],
        "relationships": [{ "name": "folder", "to": "Folder", "inverse": "notes"\(options) }] },
      { "name": "Draft", "parent": "Note" } ] }
    """
  }

  private static let optional = #", "optional": true"#

  /// Returns the rows that a plan and the run that follows warn about.
  private func warned(from old: String, to new: String, without keys: String) throws -> [Int64] {
    let source = try SchemaFile(Self.schema("V1", old))
    try createFixture(
      app: "notes", version: "V1", model: source.model, at: path, options: FixtureOptions(rows: 20))
    try Connection(path: path, mode: .readWrite).execute(
      "UPDATE ZNOTE SET ZFOLDER = (SELECT min(Z_PK) FROM ZFOLDER); "
        + "UPDATE ZNOTE SET ZFOLDER = NULL WHERE \(keys)")
    let migrator = try StoreMigrator([source, SchemaFile(Self.schema("V2", new))], steps: [""])
    let planned = try migrator.plan(for: path).warnings.filter { $0.code == "missing-links" }
    let applied = try migrator.apply(to: path).warnings.filter { $0.code == "missing-links" }
    #expect(planned == applied)
    return planned.map(\.rows)
  }

  @Test func `rows of an entity and its sub-entities are counted`() throws {
    let rows = try warned(from: Self.optional, to: "", without: "1")
    #expect(rows == [Int64(try self.rows(of: "ZNOTE").count)] && rows != [0])
  }

  @Test func `one row is enough`() throws {
    #expect(try warned(from: Self.optional, to: "", without: "Z_PK = 1") == [1])
  }

  @Test(arguments: [(optional, "", "0"), (optional, optional, "1"), ("", "", "1")])
  func `nothing is said of links that are there, or were mandatory, or stay optional`(
    old: String, new: String, keys: String
  ) throws {
    #expect(try warned(from: old, to: new, without: keys) == [])
  }

  private func rows(of table: String) throws -> [[Value]] {
    try Connection(path: path, mode: .readOnly).rows("SELECT Z_PK FROM \(table)")
  }
}
