import Migrations
import Platform
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import StoreProof
import TestSupport
import Testing

@testable import StoreMigration

/// Beings, people and their addresses, in one entity or in two.
protocol SplitCases {
  /// The folder and the path of a store.
  var folder: TemporaryDirectory { get }
  var path: String { get }
}

extension SplitCases {
  static func attribute(_ name: String, _ more: String = #", "optional": true"#) -> String {
    #"{ "name": "\#(name)", "type": "String"\#(more) }"#
  }

  static func version(_ name: String, _ entities: String) throws -> ModelVersion {
    let text = """
      { "format_version": 1, "app": "people", "version": "\(name)", "identifiers": ["\(name)"], "entities": [\(entities)] }
      """
    return ModelVersion(try SchemaFile(parsing: Array(text.utf8), file: nil))
  }

  static func joined(
    _ name: String, _ more: String = "", street: String = #", "optional": true"#
  ) throws -> ModelVersion {
    try version(
      name,
      """
      { "name": "Being", "attributes": [\(attribute("name"))] },
      { "name": "Person", "parent": "Being", "attributes": [\(attribute("street", street)), \(attribute("city"))\(more)] }
      """)
  }

  /// People, who are beings, with addresses.
  static func apart(
    _ name: String, _ more: String = "", link: String = "true",
    street: String = #", "optional": true"#
  ) throws -> ModelVersion {
    try version(
      name,
      """
      { "name": "Being", "attributes": [\(attribute("name"))] },
      { "name": "Person", "parent": "Being", "relationships": [
        { "name": "address", "to": "Address", "optional": \(link), "inverse": "people" }] },
      { "name": "Address", "attributes": [\(attribute("street", street)), \(attribute("city"))\(more)], "relationships": [
        { "name": "people", "to": "Person", "optional": true, "many": true, "max": 0, "inverse": "address" }] }
      """)
  }

  static func split(_ per: String, _ more: String = "") -> String {
    #"{ "split": "Person", "into": "Address", "attributes": ["street", "city"\#(more)], "link": "address", "per": "\#(per)" }"#
  }

  static var inline: String { #"{ "inline": "Person.address", "attributes": ["street", "city"] }"# }

  func migrator(_ versions: [ModelVersion], _ steps: [String]) throws -> StoreMigrator {
    var migrations: [Migration] = []
    for (place, steps) in steps.enumerated() {
      let (from, to) = (versions[place].name, versions[place + 1].name)
      let text = """
        { "format_version": 1, "app": "people", "from": "\(from)", "to": "\(to)", "steps": [
          \(steps)] }
        """
      migrations.append(try Migration(parsing: Array(text.utf8), file: "\(from)-\(to).json"))
    }
    return StoreMigrator(catalog: Catalog(versions: versions, migrations: migrations))
  }

  /// Creates a store with a being, and the rows of a statement, in which ?N is an entity's number.
  func make(_ version: ModelVersion, _ sql: String) throws {
    try createFixture(
      app: "people", version: version.name, model: version.model, at: path,
      options: FixtureOptions(rows: 0))
    let connection = try Connection(path: path, mode: .readWrite)
    for table in StoreLayout(version.model).tables {
      try connection.execute("DELETE FROM \(table.name)")
    }
    try change(
      "INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (90, ?Being, 1, 'cat'); " + sql,
      version)
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1000 WHERE Z_ENT < 100")
  }

  func change(_ sql: String, _ version: ModelVersion) throws {
    var sql = sql
    let numbering = EntityNumbering(version.model)
    for name in numbering.names {
      sql = sql.replacing("?\(name)", with: "\(numbering.number(of: name) ?? 0)")
    }
    try Connection(path: path, mode: .readWrite).execute(sql)
  }

  static func people(_ rows: [(Int64, String)]) -> String {
    rows.map {
      "INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSTREET, ZCITY) VALUES (\($0.0), ?Person, 1, 'p', \($0.1));"
    }.joined(separator: " ")
  }

  static var three: String {
    people([(1, "'Elm', 'Ulm'"), (2, "'Oak', NULL"), (3, "'Elm', 'Ulm'")])
  }

  func apply(_ migrator: StoreMigrator) throws {
    try migrator.applyAndVerify(path, MigrationRequest(acceptedLosses: ["all"]))
  }

  /// Returns a column of a table, by key.
  func column(_ name: String, _ table: String = "ZBEING") throws -> [Int64: String] {
    try rows(of: table, in: path).reduce(into: [:]) { found, row in
      let value = row[name] ?? .null
      found[row["Z_PK"]?.int64 ?? 0] = value.string ?? value.int64.map(String.init)
    }
  }
}
