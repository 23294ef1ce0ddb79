import Migrations
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration

/// Ordered relationships that a migration makes unordered.
@Suite struct OrderLossTests {
  /// How the links of a relationship are stored.
  enum Kind: String, CaseIterable {
    case oneToMany, manyToMany, withoutInverse
  }

  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  private static func schema(_ version: String, _ kind: Kind, isOrdered: Bool) throws -> SchemaFile
  {
    let inverse = kind == .withoutInverse ? "" : #", "inverse": "lists""#
    let back =
      switch kind {
      case .oneToMany: #"{ "name": "lists", "to": "List", "optional": true, "inverse": "songs" }"#
      case .manyToMany:
        #"{ "name": "lists", "to": "List", "optional": true, "many": true, "max": 0, "inverse": "songs" }"#
      case .withoutInverse: ""
      }
    return try SchemaFile(
      """
      { "format_version": 1, "app": "music", "version": "\(version)", "identifiers": ["\(version)"], "entities": [
        { "name": "List", "relationships": [{ "name": "songs", "to": "Song", "optional": true, "many": true,
          "max": 0, "ordered": \(isOrdered)\(inverse) }] },
        { "name": "Song", "attributes": [{ "name": "title", "type": "String", "optional": true }],
          "relationships": [\(back)] } ] }
      """)
  }

  /// The table with the links, and the column with their places.
  private static func place(_ kind: Kind) -> (table: String, column: String) {
    switch kind {
    case .oneToMany: ("ZSONG", "Z_FOK_LISTS")
    case .manyToMany: ("Z_1SONGS", "Z_FOK_2SONGS")
    case .withoutInverse: ("ZSONG", "Z_FOK_1SONGS")
    }
  }

  private func make(_ kind: Kind) throws -> [SchemaFile] {
    let old = try Self.schema("V1", kind, isOrdered: true)
    try createFixture(
      app: "music", version: "V1", model: old.model, at: path, options: FixtureOptions(rows: 40))
    return [old, try Self.schema("V2", kind, isOrdered: false)]
  }

  @Test(arguments: Kind.allCases)
  func `the order is a loss that must be accepted, and comes back`(kind: Kind) throws {
    let migrator = try StoreMigrator(try make(kind), steps: [""])
    let (table, column) = Self.place(kind)
    let before = try TestSupport.rows(of: table, in: path)
    let places = before.count { $0[column].map { $0 != .null } == true }
    try #require(places > 3, "\(before.first?.keys.sorted() ?? [])")

    let plan = try migrator.plan(for: path)
    #expect(plan.losses.filter { $0.rows > 0 }.map(\.step) == ["V1-V2:List.songs"])
    #expect(plan.losses.map(\.rows).reduce(0, +) == Int64(places))
    #expect(!plan.isReversible)
    #expect(plan.warnings.contains { $0.code == "order-goes" })
    #expect(plan.blockers.map(\.exitStatus) == [.refused])
    #expect(throws: MigrationError.self) { try migrator.apply(to: path) }
    #expect(try TestSupport.rows(of: table, in: path) == before)

    _ = try migrator.apply(to: path, MigrationRequest(acceptedLosses: ["V1-V2:List.songs"]))
    #expect(try migrator.verify(path).isPassed)
    let after = try TestSupport.rows(of: table, in: path)
    #expect(after.count == before.count && after.allSatisfy { $0[column] == nil })
    // The links themselves stay.
    let links = before.map { row in row.filter { $0.key != column } }
    #expect(after.map { row in row.filter { links[0].keys.contains($0.key) } } == links)
    _ = try migrator.rollback(path)
    #expect(try TestSupport.rows(of: table, in: path) == before)
  }

  @Test(arguments: Kind.allCases)
  func `an order that a later migration wants again is carried`(kind: Kind) throws {
    let versions = try make(kind) + [try Self.schema("V3", kind, isOrdered: true)]
    let migrator = try StoreMigrator(versions, steps: ["", ""])
    let (table, column) = Self.place(kind)
    let before = try TestSupport.rows(of: table, in: path)
    let plan = try migrator.plan(for: path, MigrationRequest(target: "V3"))
    #expect(plan.losses.allSatisfy { $0.rows == 0 })
    #expect(!plan.warnings.contains { $0.code == "order-goes" })
    _ = try migrator.apply(to: path, MigrationRequest(target: "V3"))
    #expect(
      try TestSupport.rows(of: table, in: path).map { $0[column] } == before.map { $0[column] })
  }
}
