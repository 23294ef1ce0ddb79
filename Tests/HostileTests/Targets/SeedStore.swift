import Foundation
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
  /// A store with an outbox, of the version before its payloads become metadata.
  static let outbox = SeedStore(
    app: "Lume", version: "V6", row: "SDOutboxEvent/1", catalog: { .bundled })

  /// A store of few tables, whose migration has every kind of step that computes.
  static let garden = SeedStore(
    app: "Garden", version: "V1", row: "Plant/1",
    catalog: {
      let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Documentation/Examples/other-steps/migrations").path
      return try Catalog(
        files: FileSystem.list(folder).sorted().map {
          (path: $0, bytes: try FileSystem.read("\(folder)/\($0)"))
        })
    })

  /// The main file's bytes; empty if the store can't be created.
  let bytes: [UInt8]
  let migrator: StoreMigrator?

  /// What its migration takes.
  let request = MigrationRequest(
    userID: "6F9619FF-8B86-4D01-B42D-00CF4FC964FF", acceptedLosses: [])

  /// The row that `explain` is asked for.
  let row: String

  init(app: String, version: String, row: String, catalog: () throws -> Catalog) {
    self.row = row
    guard let folder = try? TemporaryDirectory(), let catalog = try? catalog(),
      let model = catalog.version(version, of: app)?.model
    else {
      (bytes, migrator) = ([], nil)
      return
    }
    let path = folder.path("default.store")
    try? createFixture(
      app: app, version: version, model: model, at: path,
      options: FixtureOptions(rows: 12, seed: 1, userCount: 1))
    bytes = (try? FileSystem.read(path)) ?? []
    migrator = StoreMigrator(catalog: catalog)
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
