import RowInspection
import Platform
import SQLite
import StoreFormat
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import StoreProof

/// A store's values keep their fingerprints, in every command and in copies.
@Suite struct FingerprintTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let migrator: StoreMigrator

  init() throws {
    folder = try TemporaryDirectory()
    path = try makeStore("V6", rows: 20, in: folder)
    migrator = try bundledMigrator()
  }

  private func fingerprint(_ value: Value, in paths: String...) throws -> ValueFingerprint {
    let stores = try paths.map { try migrator.inspection(of: $0).store }
    return ValueMask(of: stores).fingerprint(of: value, named: "x")
  }

  /// Creates a store with equal rows and another UUID, or none.
  private func copy(uuid: Value) throws -> String {
    let other = folder.path("other.store")
    try FileSystem.removeIfPresent(other)
    try FileSystem.copy(path, to: other)
    let connection = try Connection(path: other, mode: .readWrite)
    try connection.execute("UPDATE Z_METADATA SET Z_UUID = ?1", [uuid])
    return other
  }

  private var request: MigrationRequest { MigrationRequest(userID: "me") }

  @Test func `the store and its copies keep them, also migrated and rolled back`() throws {
    let before = try fingerprint("a", in: path)
    #expect(try fingerprint("a", in: path) == before)
    let copy = folder.path("copy.store")
    try FileSystem.copy(path, to: copy)
    #expect(try fingerprint("a", in: copy) == before)
    #expect(try fingerprint("a", in: path, copy) == before)
    _ = try migrator.apply(to: path, request)
    #expect(try fingerprint("a", in: path) == before)
    #expect(try fingerprint("a", in: copy, path) == before)
    _ = try migrator.rollback(path)
    #expect(try fingerprint("a", in: path) == before)
  }

  @Test func `plan, explain and diff show the same fingerprint of a value`() throws {
    let plan = try migrator.plan(for: path, request)
    #expect(try migrator.plan(for: path, request).examples == plan.examples)
    let example = try #require(plan.examples.first { $0.entity == "SDOutboxEvent" })
    let part = try #require(example.before.first)
    let told = try migrator.explain("SDOutboxEvent/\(example.key)", of: path, request)
    let sources = told.fates.flatMap(\.sources).filter { $0.property == part.attribute }
    #expect(sources.first?.content == .value(part.fingerprint))
    let copy = folder.path("copy.store")
    try FileSystem.copy(path, to: copy)
    let connection = try Connection(path: copy, mode: .readWrite)
    try connection.execute("DELETE FROM ZSDOUTBOXEVENT")
    var rows: [RowDifference] = []
    _ = try migrator.difference(
      between: path, and: copy,
      report: DifferenceReport { if case .row(let row) = $0 { rows.append(row) } })
    let row = try #require(rows.first { $0.entity.a == "SDOutboxEvent" && $0.key == example.key })
    let cell = try #require(row.cells.first { $0.name.a == part.attribute })
    #expect(cell.before == .value(part.fingerprint))
  }

  @Test func `another store has others, and so has a comparison with it`() throws {
    let before = try fingerprint("a", in: path)
    let other = try copy(uuid: "0B0C6B2E-9C0B-4C0E-8C55-000000000001")
    let both = try fingerprint("a", in: path, other)
    #expect(try fingerprint("a", in: other) != before)
    #expect(both == (try fingerprint("a", in: other, path)))
    #expect(both != before)
    #expect(both != (try fingerprint("a", in: other)))
  }

  @Test func `a fingerprint is the hash that is specified`() throws {
    let uuid = "0B0C6B2E-9C0B-4C0E-8C55-000000000001"
    let other = try copy(uuid: .text(uuid))
    let key = sha256(Array("outbox-migrate fingerprints\n\(uuid)".utf8))
    let hash = sha256(key + [3] + Array("a".utf8))
    #expect(
      try fingerprint("a", in: other).digits == Hexadecimal.encode(Array(hash.prefix(4))))
  }

  @Test(arguments: [.null, "", "the store"] as [Value])
  func `without a UUID every run has its own`(uuid: Value) throws {
    let other = try copy(uuid: uuid)
    #expect(try fingerprint("a", in: other) != (try fingerprint("a", in: other)))
    #expect(try fingerprint("a", in: path, other) != (try fingerprint("a", in: path, other)))
  }
}
