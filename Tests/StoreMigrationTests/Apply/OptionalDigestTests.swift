import SQLite
import StoreFormat
import Testing
import TestSupport

@testable import StoreExchange
@testable import StoreMigration
import Migrations
import RowRewriting
import StoreProof

/// The digests that the ledger makes on its way are those of the tables read by themselves.
@Suite struct OptionalDigestTests {
  private static let versions =
    [("Lume", "V2"), ("Lume", "V6"), ("Lume", "V7@additive")]
    + [1, 3, 8, 10].map { ("FitIQ", "V\($0)") }

  @Test(arguments: Self.versions)
  func `a receipt's hashes are those of the two stores`(app: String, version: String) throws {
    for rows in MigrationRequest.Rows.allCases
    where rows == .documented || version == "V6" && app == "Lume" {
      let seed = printedSeed(below: 100_000)
      let folder = try TemporaryDirectory()
      let path = try makeStore(version, of: app, rows: 80, seed: seed, users: 2, in: folder)
      let before = try hash(of: path)
      let request = MigrationRequest(
        userID: "someone", rows: rows, acceptedLosses: ["all"])
      _ = try bundledMigrator().apply(to: path, request)
      let receipt = try #require(try SnapshotFolder.done(of: StoreFiles(path: path)).last).1
      #expect(receipt.contentBefore == before, "\(app) \(version), seed \(seed)")
      #expect(receipt.contentHash == (try hash(of: path)), "\(app) \(version), seed \(seed)")
      #expect(before != receipt.contentHash)
    }
  }

  /// The hash of a store whose tables are each read for it.
  private func hash(of path: String) throws -> String {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let store = try StoreDescription(reading: connection)
    let layout = StoreLayout(try #require(store.cachedModel), joinTableNames: store.tableNames)
    return try ContentHash(layout: layout, store: store, schema: "main").value(connection)
  }
}
