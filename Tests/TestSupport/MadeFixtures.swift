import Platform
package import StoreFixtures
package import StoreModel
import Synchronization

/// Writes a fixture of a bundled version, as `createFixture` does.
///
/// Equal arguments give equal stores. If this process has made one before, it is copied.
package func makeFixture(
  app: String, version: String, model: Model, at path: String, options: FixtureOptions
) throws {
  let request = FixtureRequest(app: app, version: version, options: options)
  if let bytes = madeFixtures.withLock({ $0[request] }) {
    return try FileSystem.create(path, bytes, mode: 0o644)
  }
  try createFixture(app: app, version: version, model: model, at: path, options: options)
  guard options.rows <= 1_000 else { return }
  let bytes = try FileSystem.read(path)
  madeFixtures.withLock { $0[request] = bytes }
}

/// What distinguishes one fixture from another.
private struct FixtureRequest: Hashable {
  let app: String
  let version: String
  let options: FixtureOptions
}

private let madeFixtures = Mutex<[FixtureRequest: [UInt8]]>([:])
