import Migrations
import StoreFixtures

/// Creates a store of a bundled version with invented rows in a folder.
///
/// - Returns: The path of the store.
/// - Throws: `UnknownVersion` if no such version is bundled, or an error from writing the store.
package func makeStore(
  _ version: String, of app: String = "Lume", rows: Int = 60, seed: UInt64 = 1, users: Int = 1,
  isMirrored: Bool = false, in folder: TemporaryDirectory
) throws -> String {
  guard let model = Catalog.bundled.version(version, of: app)?.model else {
    throw UnknownVersion(app: app, version: version)
  }
  let path = folder.path("default.store")
  try makeFixture(
    app: app, version: version, model: model, at: path,
    options: FixtureOptions(rows: rows, seed: seed, userCount: users, isMirrored: isMirrored))
  return path
}

/// A version that isn't bundled.
private struct UnknownVersion: Error {
  let app: String
  let version: String
}
