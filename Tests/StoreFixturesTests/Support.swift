import Platform
import SQLite
import StoreFixtures
import StoreModel
import TestSupport
import Testing

/// An embedded version.
struct BundledVersion: Sendable, CustomTestStringConvertible {
  let app: String
  let name: String
  let model: Model

  var testDescription: String { "\(app) \(name)" }

  static let all: [BundledVersion] = EmbeddedFile.all
    .filter { $0.path.hasSuffix(".schema.json") }
    .compactMap { file in
      (try? SchemaFile(parsing: file.bytes, file: file.path)).map {
        BundledVersion(app: $0.app, name: $0.version, model: $0.model)
      }
    }

  static func named(_ app: String, _ name: String) throws -> BundledVersion {
    try #require(all.first { $0.app == app && $0.name == name })
  }

  /// Creates a fixture of this version, and returns its path.
  func fixture(
    in directory: TemporaryDirectory, named file: String = "default.store", rows: Int = 200,
    seed: UInt64 = 1, userCount: Int = 1
  ) throws -> String {
    let path = directory.path(file)
    try createFixture(
      app: app.lowercased(), version: name, model: model, at: path,
      options: FixtureOptions(rows: rows, seed: seed, userCount: userCount))
    return path
  }
}

/// Returns the contents of a database as text, by table and row.
func dump(_ path: String) throws -> [String] {
  let connection = try Connection(path: path, mode: .readOnlyUnshared)
  var lines: [String] = []
  for row in try connection.rows("SELECT name, sql FROM sqlite_schema ORDER BY rowid") {
    lines.append(row[1].string ?? "")
  }
  for table in try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
    let name = try #require(table[0].string)
    for row in try connection.rows("SELECT * FROM \(quoteIdentifier(name)) ORDER BY rowid") {
      lines.append(name + ": " + row.map { "\($0)" }.joined(separator: "|"))
    }
  }
  return lines
}

/// Returns the first column of a query.
func column(_ sql: String, of path: String) throws -> [Value] {
  let connection = try Connection(path: path, mode: .readOnlyUnshared)
  return try connection.rows(sql).map { $0[0] }
}
