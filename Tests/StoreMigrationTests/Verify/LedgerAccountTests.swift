import Platform
import SQLite
import StoreFormat
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration
import Migrations
import OutboxConversion
import StoreProof

@Suite struct LedgerAccountTests {
  private let migrator = StoreMigrator(catalog: .bundled)

  /// A migrated store with the snapshot that it was made from.
  private func stores(
    _ version: String, of app: String, in folder: TemporaryDirectory
  ) throws -> OriginStores {
    let path = try makeStore(version, of: app, rows: 40, in: folder)
    let request = MigrationRequest(userID: RollbackTests.owner, acceptedLosses: ["all"])
    _ = try migrator.apply(to: path, request)
    let inspection = try StoreInspection(path: path, catalog: migrator.catalog)
    let digest = inspection.store.metadata?.hashes?.digest
    let origin = try #require(try Origin.find(for: inspection.files, digest: digest))
    return OriginStores(
      origin: origin, path: path, files: inspection.files,
      model: try #require(inspection.store.cachedModel), catalog: migrator.catalog, isShared: false)
  }

  private func comparePieces(
    _ account: LedgerAccount, _ pieces: LedgerAccount.Pieces, _ stores: OriginStores
  ) throws {
    let connection = try stores.connect()
    try stores.attachSnapshot(connection)
    try account.comparePieces(pieces, connection)
  }

  @Test(arguments: [("FitIQ", "V3"), ("Lume", "V6")])
  func `the account is the same whichever thread takes the pieces`(app: String, version: String)
    throws
  {
    let folder = try TemporaryDirectory()
    let stores = try stores(version, of: app, in: folder)
    let alone = try #require(try stores.trialAccount(SharedPiece { nil }))
    let other = try #require(try stores.trialAccount(SharedPiece { nil }))
    let both = try #require(try stores.trialAccount(SharedPiece { nil }))
    try comparePieces(alone, .all, stores)
    // Documented rows need nothing that only one thread has.
    try comparePieces(other, .shared, stores)
    _ = try concurrently(
      { try comparePieces(both, .all, stores) }, { try comparePieces(both, .shared, stores) })
    let expected = try alone.result()
    #expect(expected.entries.contains { $0.converted > 0 } && expected.findings.isEmpty)
    for result in [try other.result(), try both.result()] {
      #expect(result.entries == expected.entries)
      #expect(result.findings == expected.findings)
      #expect(result.digests.old == expected.digests.old)
      #expect(result.digests.new == expected.digests.new)
    }
  }
}
