import Platform
import StoreFixtures
import StoreFormat
import StoreModel
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// A small store that others are made from.
final class SeedStore: Sendable {
  static let shared = SeedStore()
  static let request = MigrationRequest(
    userID: "6F9619FF-8B86-4D01-B42D-00CF4FC964FF", acceptedLosses: [])

  /// The main file's bytes; empty if the store can't be created.
  let bytes: [UInt8]
  let migrator: StoreMigrator?

  init() {
    guard let folder = try? TemporaryDirectory(),
      let model = Catalog.bundled.version("V6", of: "Lume")?.model
    else {
      (bytes, migrator) = ([], nil)
      return
    }
    let path = folder.path("default.store")
    try? createFixture(
      app: "Lume", version: "V6", model: model, at: path,
      options: FixtureOptions(rows: 12, seed: 1, userCount: 1))
    bytes = (try? FileSystem.read(path)) ?? []
    migrator = StoreMigrator(catalog: .bundled)
  }

  /// Runs a body on a fresh copy of the store.
  func withStore<Result>(
    _ body: (_ path: String, StoreMigrator) throws -> Result
  ) throws -> Result {
    let folder = try TemporaryDirectory()
    let path = folder.path("default.store")
    try FileSystem.create(path, bytes)
    guard let migrator else { throw StoreFormatError.notAStore(missing: "the seed store") }
    return try body(path, migrator)
  }
}
