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

  /// The table with the links, and its columns: of the lists, of the places, of the songs.
  private static func place(
    _ kind: Kind
  ) -> (table: String, owner: String, column: String, key: String) {
    switch kind {
    case .oneToMany: ("ZSONG", "ZLISTS", "Z_FOK_LISTS", "Z_PK")
    case .manyToMany: ("Z_1SONGS", "Z_1LISTS", "Z_FOK_2SONGS", "Z_2SONGS")
    case .withoutInverse: ("ZSONG", "Z1SONGS", "Z_FOK_1SONGS", "Z_PK")
    }
  }

  /// Counts the places that aren't those of the order of keys, list by list.
  private func lostPlaces(_ kind: Kind) throws -> Int {
    let (table, owner, column, key) = Self.place(kind)
    let linked = try TestSupport.rows(of: table, in: path).filter { $0[owner] != .null }
    func keys(_ rows: [[String: Value]], by name: String) -> [Int64?] {
      rows.sorted { ($0[name]?.int64 ?? 0) < ($1[name]?.int64 ?? 0) }.map { $0[key]?.int64 }
    }
    return Set(linked.map { $0[owner] }).reduce(0) { sum, list in
      let rows = linked.filter { $0[owner] == list }
      return sum + zip(keys(rows, by: column), keys(rows, by: key)).count { $0 != $1 }
    }
  }

  private func make(_ kind: Kind) throws -> [SchemaFile] {
    let old = try Self.schema("V1", kind, isOrdered: true)
    try createFixture(
      app: "music", version: "V1", model: old.model, at: path, options: FixtureOptions(rows: 40))
    let (table, owner, column, key) = Self.place(kind)
    let links =
      kind == .manyToMany
      ? """
      INSERT OR IGNORE INTO \(table) (\(owner), \(key), \(column))
      SELECT ZLIST.Z_PK, ZSONG.Z_PK, 0 FROM ZLIST, ZSONG WHERE ZLIST.Z_PK < 3
      """
      : "UPDATE \(table) SET \(owner) = (SELECT min(Z_PK) FROM ZLIST) + \(key) % 2"
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(links)
    try connection.execute(
      "UPDATE \(table) SET \(column) = 1024 * (1 + rowid * 7 % 5) WHERE \(owner) IS NOT NULL")
    return [old, try Self.schema("V2", kind, isOrdered: false)]
  }

  @Test(arguments: Kind.allCases)
  func `the order is a loss that must be accepted, and comes back`(kind: Kind) throws {
    let migrator = try StoreMigrator(try make(kind), steps: [""])
    let (table, _, column, _) = Self.place(kind)
    let before = try TestSupport.rows(of: table, in: path)
    let places = try lostPlaces(kind)
    try #require(places > 3)

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
  func `the order of the keys isn't lost`(kind: Kind) throws {
    let migrator = try StoreMigrator(try make(kind), steps: [""])
    let (table, owner, column, key) = Self.place(kind)
    try Connection(path: path, mode: .readWrite).execute(
      "UPDATE \(table) SET \(column) = 1024 * \(key) WHERE \(owner) IS NOT NULL")
    #expect(try lostPlaces(kind) == 0)
    let plan = try migrator.plan(for: path)
    #expect(plan.losses.allSatisfy { $0.rows == 0 } && plan.isReversible)
    _ = try migrator.apply(to: path)
    #expect(try migrator.verify(path).isPassed)
  }

  @Test(arguments: Kind.allCases)
  func `an order that a later migration wants again is carried`(kind: Kind) throws {
    let versions = try make(kind) + [try Self.schema("V3", kind, isOrdered: true)]
    let migrator = try StoreMigrator(versions, steps: ["", ""])
    let (table, _, column, _) = Self.place(kind)
    let before = try TestSupport.rows(of: table, in: path)
    let plan = try migrator.plan(for: path, MigrationRequest(target: "V3"))
    #expect(plan.losses.allSatisfy { $0.rows == 0 })
    #expect(!plan.warnings.contains { $0.code == "order-goes" })
    _ = try migrator.apply(to: path, MigrationRequest(target: "V3"))
    #expect(
      try TestSupport.rows(of: table, in: path).map { $0[column] } == before.map { $0[column] })
  }

  @Test(arguments: Kind.allCases)
  func `places that the app gives are parked, and come back`(kind: Kind) throws {
    let old = try Self.schema("V1", kind, isOrdered: false)
    try createFixture(
      app: "music", version: "V1", model: old.model, at: path, options: FixtureOptions(rows: 40))
    let migrator = try StoreMigrator(
      [old, try Self.schema("V2", kind, isOrdered: true)], steps: [""])
    _ = try migrator.apply(to: path)
    let (table, owner, column, _) = Self.place(kind)
    try Connection(path: path, mode: .readWrite).execute(
      "UPDATE \(table) SET \(column) = 1024 * (100 - rowid) WHERE \(owner) IS NOT NULL")
    let ordered = try TestSupport.rows(of: table, in: path)
    try #require(ordered.contains { $0[column] != .null })
    _ = try migrator.rollback(path, laterWrites: .keep)
    #expect(try TestSupport.rows(of: table, in: path).allSatisfy { $0[column] == nil })
    _ = try migrator.apply(to: path)
    #expect(
      try TestSupport.rows(of: table, in: path).map { $0[column] } == ordered.map { $0[column] })
  }

  @Test func `the order goes with the relationship, if its inverse keeps the links`() throws {
    let old = try make(.oneToMany)[0]
    let new = try SchemaFile(
      """
      { "format_version": 1, "app": "music", "version": "V2", "identifiers": ["V2"], "entities": [
        { "name": "List" },
        { "name": "Song", "attributes": [{ "name": "title", "type": "String", "optional": true }],
          "relationships": [{ "name": "lists", "to": "List", "optional": true }] } ] }
      """)
    let migrator = try StoreMigrator([old, new], steps: [#"{ "drop": "List.songs" }"#])
    let lost = try lostPlaces(.oneToMany)
    try #require(lost > 3)
    let plan = try migrator.plan(for: path)
    #expect(plan.losses.filter { $0.rows > 0 }.map(\.rows) == [Int64(lost)])
    #expect(plan.losses.first { $0.rows > 0 }?.step == "V1-V2:List.songs")
    let links = try TestSupport.rows(of: "ZSONG", in: path).map { $0["ZLISTS"] }
    _ = try migrator.apply(to: path, MigrationRequest(acceptedLosses: ["V1-V2:List.songs"]))
    #expect(try TestSupport.rows(of: "ZSONG", in: path).map { $0["ZLISTS"] } == links)
  }

  @Test func `the order goes where the inverse becomes to-many`() throws {
    let old = try make(.oneToMany)[0]
    let migrator = try StoreMigrator(
      [old, try Self.schema("V2", .manyToMany, isOrdered: false)],
      steps: [#"{ "relink": "Song.lists" }"#])
    let lost = try lostPlaces(.oneToMany)
    let plan = try migrator.plan(for: path)
    #expect(plan.losses.filter { $0.rows > 0 }.map(\.rows) == [Int64(lost)])
    _ = try migrator.apply(to: path, MigrationRequest(acceptedLosses: ["all"]))
    #expect(try migrator.verify(path).isPassed)
  }

  @Test func `an order that comes and goes twice is one loss, and one that never was is none`()
    throws
  {
    let versions = try [true, false, true, false].enumerated().map {
      try Self.schema("V\($0 + 1)", .oneToMany, isOrdered: $1)
    }
    _ = try make(.oneToMany)
    let twice = try StoreMigrator(versions, steps: ["", "", ""])
    let plan = try twice.plan(for: path)
    #expect(plan.losses.map(\.step) == ["V3-V4:List.songs"])
    #expect(plan.warnings.count { $0.code == "order-goes" } == 1)
    let later = Array(versions.dropFirst())
    let never = Lineage(identityOf: later[0].model)
    let steps = twice.catalog.migrations.filter { ["V2-V3", "V3-V4"].contains($0.name) }
      .sorted { $0.from < $1.from }
    let lineage = try zip(steps, zip(later, later.dropFirst())).reduce(never) {
      try $0.applying($1.0, source: $1.1.0.model, target: $1.1.1.model)
    }
    #expect(lineage.lostOrders(from: later[0].model, to: later[2].model).isEmpty)
  }
}
