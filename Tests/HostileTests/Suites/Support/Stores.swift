import Platform
import SQLite
import StoreFixtures
import StoreFormat
import StoreMigration
import StoreModel
import Testing
import TestSupport
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Creates a small store of Lume V6, or another version, in a folder and returns its path.
func makeStore(
  in folder: TemporaryDirectory, app: String = "Lume", version: String = "V6", rows: Int = 12,
  name: String = "default.store"
) throws -> String {
  let model = try #require(Catalog.bundled.version(version, of: app)).model
  let path = folder.path(name)
  try makeFixture(
    app: app, version: version, model: model, at: path,
    options: FixtureOptions(rows: rows, seed: 1, userCount: 1))
  return path
}

/// Changes a store in ways that SQLite usually refuses.
func spoil(_ path: String, _ statements: String, _ values: [Value] = []) throws {
  let connection = try Connection(path: path, mode: .readWrite)
  try connection.set(.defensive, to: false)
  try connection.execute("PRAGMA writable_schema = ON")
  if values.isEmpty {
    try connection.execute(statements)
  } else {
    try connection.execute(statements, values)
  }
  try connection.walCheckpointTruncate()
}

/// Replaces a file by other bytes.
func overwrite(_ path: String, with bytes: [UInt8]) throws {
  try FileSystem.removeIfPresent(path)
  try FileSystem.create(path, bytes)
}

/// The bytes of each file of a folder, and of those below, by path.
func filesBelow(_ folder: String) throws -> [String: [UInt8]] {
  var contents: [String: [UInt8]] = [:]
  for name in try FileSystem.list(folder) {
    let path = "\(folder)/\(name)"
    switch try FileStatus(of: path, followingLinks: false).kind {
    case .directory: contents.merge(try filesBelow(path)) { first, _ in first }
    case .regular: contents[path] = try FileSystem.read(path)
    default: contents[path] = []
    }
  }
  return contents
}
