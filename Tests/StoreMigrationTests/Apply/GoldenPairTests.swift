import Foundation
import Platform
import SQLite
import StoreFormat
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Core Data migrated one store again and again; our migration of each snapshot must make the next.
@Suite struct GoldenPairTests {
  @Test(arguments: Array(zip(82...91, 83...92)) + [(82, 92)])
  func `our migration of a store gives the same rows as Core Data's`(from: Int, to: Int) throws {
    try expectEqualMigrations(from: from, to: to)
  }

  /// The models describe fetch indexes twice, and tables that don't change get new ones.
  @Test(arguments: [(51, 52), (66, 67)])
  func `our migration gives the same rows and the same indexes as Core Data's`(
    from: Int, to: Int
  ) throws {
    try expectEqualMigrations(from: from, to: to) { ours, theirs in
      #expect(Set(ours.indexes.compactMap(\.sql)) == Set(theirs.indexes.compactMap(\.sql)))
    }
  }

  private func expectEqualMigrations(
    from: Int, to: Int, and check: (StoreDescription, StoreDescription) -> Void = { _, _ in }
  ) throws {
    for origin in MigrationRequest.FileOrigin.allCases {
      try expectEqualMigrations(from: from, to: to, into: origin, and: check)
    }
  }

  private func expectEqualMigrations(
    from: Int, to: Int, into origin: MigrationRequest.FileOrigin,
    and check: (StoreDescription, StoreDescription) -> Void
  ) throws {
    guard let early = RealStores.wire(from), let late = RealStores.wire(to) else { return }
    let folder = try TemporaryDirectory()
    let path = folder.path("store.sqlite")
    try FileSystem.copy(early, to: path)
    let expected = folder.path("expected.sqlite")
    try FileSystem.copy(late, to: expected)
    let schema = try capturedSchema(expected, version: "\(to)")
    let values = try valueCount(path)
    var request = MigrationRequest(schema: schema)
    request.fileOrigin = origin
    let report = try bundledMigrator().apply(to: path, request)
    #expect(report.isVerified)
    // Every value is in the ledger, also the keys in a join table that gets another name.
    #expect(report.ledger.reduce(0) { $0 + $1.rows } == (report.hasChanges ? values : 0))
    try expectEqualStores(path, expected, and: check)
  }

  /// Returns the number of values in all tables but Core Data's own.
  private func valueCount(_ path: String) throws -> Int64 {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let own: Set = ["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"]
    var count: Int64 = 0
    for table in try StoreDescription(reading: connection).tables where !own.contains(table.name) {
      let rows = try connection.value("SELECT count(*) FROM \(quoteIdentifier(table.name))")
      count += Int64(table.columns.count) * (rows?.int64 ?? 0)
    }
    return count
  }

  private func capturedSchema(_ path: String, version: String) throws -> SchemaFile {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let cache = try #require(try connection.value("SELECT Z_CONTENT FROM Z_MODELCACHE")?.bytes)
    return SchemaFile(
      app: "Wire", version: version, model: try ModelCache.decode(cache),
      capture: SchemaCapture(modelCache: cache))
  }

  private func expectEqualStores(
    _ ours: String, _ theirs: String, and check: (StoreDescription, StoreDescription) -> Void
  ) throws {
    let left = try Connection(path: ours, mode: .readOnlyUnshared)
    let right = try Connection(path: theirs, mode: .readOnlyUnshared)
    let (mine, golden) = (
      try StoreDescription(reading: left), try StoreDescription(reading: right)
    )
    check(mine, golden)
    #expect(mine.tableNames == golden.tableNames)
    #expect(mine.entityNumbers == golden.entityNumbers)
    #expect(mine.metadata?.hashes == golden.metadata?.hashes)
    #expect(mine.metadata?.digest == golden.metadata?.digest)
    #expect(mine.metadata?.versionIdentifiers == golden.metadata?.versionIdentifiers)
    #expect(mine.metadata?.uuid == golden.metadata?.uuid)
    #expect(mine.cachedModel == golden.cachedModel)
    for table in golden.tables where !["Z_METADATA", "Z_MODELCACHE"].contains(table.name) {
      let columns = table.columns.map(\.name).sorted()
      #expect(
        mine.table(named: table.name)?.columns.map(\.name).sorted() == columns, "\(table.name)")
      let list = columns.map(quoteIdentifier).joined(separator: ", ")
      let query = "SELECT \(list) FROM \(quoteIdentifier(table.name)) ORDER BY 1, 2, rowid"
      let (our, their) = (try left.rows(query), try right.rows(query))
      #expect(our.count == their.count)
      for (one, other) in zip(our, their) where one != other {
        let names = zip(columns, zip(one, other)).filter { $0.1.0 != $0.1.1 }.map(\.0)
        Issue.record("\(table.name): columns \(names) differ")
        break
      }
    }
  }
}
