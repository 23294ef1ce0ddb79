import Foundation
import Migrations
import Platform
import SQLite
import StoreFixtures
import StoreFormat
import StoreMigration
import StoreModel
import StoreProof
import TestSupport
import Testing

@testable import RowInspection

@Suite struct RowTests {
  private let migrator = StoreMigrator(catalog: .bundled)

  private func matching(
    _ entity: String, _ condition: String?, limit: Int = 3, of path: String, shows: Bool = false
  ) throws -> RowListing {
    try migrator.rows(
      .matching(entity: entity, condition: condition, limit: limit), of: path, showsValues: shows)
  }

  @Test func `each row of an unknown app's store has the links that a plain reading finds`() throws
  {
    let zoo = try ZooStore()
    let before = try fingerprint(of: zoo.folder)
    let toys = try matching("Toy", nil, limit: 100, of: zoo.path).rows
    #expect(toys.count > 5)
    let layout = StoreLayout(ZooStore.model)
    let join = try #require(layout.joinTables.first)
    for toy in toys {
      let tags = try #require(toy.properties.first { $0.name == "tags" })
      guard case .links(let links, let count) = tags.content else {
        Issue.record("\(tags)")
        continue
      }
      let own = join.first.entity == "Toy" ? join.first : join.second
      let other = join.first.entity == "Toy" ? join.second : join.first
      let keys = try rows(of: join.name, in: zoo.path)
        .filter { $0[own.keyColumn]?.int64 == toy.key }
        .compactMap { $0[other.keyColumn]?.int64 }.sorted()
      #expect(count == Int64(keys.count))
      #expect(links.map(\.key) == Array(keys.prefix(5)))
      #expect(links.allSatisfy { $0.entity == "Tag" && !$0.isDangling })
    }
    let cats = try matching("Animal", nil, limit: 100, of: zoo.path).rows
    #expect(Set(cats.map(\.entity)).isSubset(of: ["Cat", "Dog"]))
    #expect(try fingerprint(of: zoo.folder) == before)
  }

  @Test func `a condition counts what the same SQL over the table counts`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V9", of: "FitIQ", rows: 80, seed: 5, in: folder)
    let all = try rows(of: "ZSDOUTBOXEVENT", in: path)
    let pending = all.filter { $0["ZSTATUS"]?.string == "pending" }
    let listing = try matching("sdoutboxevent", "status = 'pending'", limit: 2, of: path)
    #expect(listing.selection?.entity == "SDOutboxEvent")
    #expect(listing.selection?.total == Int64(all.count))
    #expect(listing.selection?.matching == Int64(pending.count))
    #expect(listing.rows.map(\.key) == Array(pending.compactMap { $0["Z_PK"]?.int64 }.prefix(2)))
    #expect(try matching("SDOutboxEvent", "1", limit: 0, of: path).rows == [])
  }

  @Test func `a condition reads linked rows, and the keys of links`() throws {
    let zoo = try ZooStore()
    let photos = try rows(of: "ZPHOTO", in: zoo.path)
    let keys = photos.compactMap { $0["ZSUBJECT"]?.int64 }
    let key = try #require(keys.first)
    let found = try matching("Photo", "subject = \(key)", of: zoo.path).selection?.matching
    #expect(found == Int64(photos.filter { $0["ZSUBJECT"]?.int64 == key }.count))
    let named = try matching("Photo", "subject.name IS NOT NULL", of: zoo.path).selection
    #expect(named?.matching == Int64(photos.filter { $0["ZSUBJECT"]?.int64 != nil }.count))
  }

  @Test(arguments: [
    "(SELECT 1)", "load_extension('x')", "nothing = 1", "1; DELETE FROM ZTOY", "random() > 0",
    "kind = ?1", "", "1) UNION SELECT (1",
  ])
  func `what isn't a condition is refused with its reason`(text: String) throws {
    let zoo = try ZooStore()
    #expect {
      try matching("Toy", text, of: zoo.path)
    } throws: { error in
      guard case .badCondition(text, _)? = error as? RowQueryError else { return false }
      return true
    }
  }

  @Test func `an error of a condition names the row, and quotes no value`() throws {
    let zoo = try ZooStore()
    try zoo.damage("UPDATE ZTOY SET ZKIND = 'Anna Secretname' WHERE Z_PK = 2")
    #expect {
      try matching("Toy", "json_extract(kind, '$.a') = 1", of: zoo.path)
    } throws: { error in
      guard case .failingCondition("Toy", _)? = error as? RowQueryError else { return false }
      return !"\(error)".contains("Anna")
    }
  }

  @Test func `secrets can neither be shown nor asked for`() throws {
    let folder = try TemporaryDirectory()
    let path = try secretStore(in: folder)
    let shown = try matching("Account", nil, of: path, shows: true)
    #expect(!"\(shown)".contains("hunter2"))
    let row = try #require(shown.rows.first)
    #expect(
      row.properties.contains {
        if case .value(let mark, nil) = $0.content { mark.kind == .secret } else { false }
      })
    for text in [
      "password LIKE 'h%'", "length(password) = 7", "json_extract(note, '$.token') = 'x'",
      "\"password\" IS NOT NULL",
    ] {
      #expect {
        try matching("Account", text, of: path)
      } throws: { error in
        guard case .secretCondition? = error as? RowQueryError else { return false }
        return true
      }
    }
  }

  private func secretStore(in folder: TemporaryDirectory) throws -> String {
    let model = Model(
      entities: [
        Entity(
          name: "Account",
          properties: [
            .attribute(Attribute(name: "note", type: .string, isOptional: true)),
            .attribute(Attribute(name: "password", type: .string, isOptional: true)),
          ])
      ])
    let path = folder.path("default.store")
    try createFixture(
      app: "a", version: "1", model: model, at: path, options: FixtureOptions(rows: 5))
    try Connection(path: path, mode: .readWrite).execute(
      "UPDATE ZACCOUNT SET ZPASSWORD = 'hunter2', ZNOTE = '{\"token\":\"hunter2\"}'")
    return path
  }

  @Test func `values are dates in ISO only if they are asked for, and JSON is told as such`() throws
  {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    try Connection(path: path, mode: .readWrite).execute(
      "UPDATE ZSDOUTBOXEVENT SET ZCREATEDAT = 0, ZPAYLOAD = CAST('[1,2]' AS BLOB) WHERE Z_PK = 1")
    func content(_ name: String, shows: Bool) throws -> ShownRow.Content? {
      let listing = try migrator.rows(
        .rows(["SDOutboxEvent/1"]), of: path, showsValues: shows)
      return listing.rows.first?.properties.first { $0.name == name }?.content
    }
    guard case .value(let mark, nil)? = try content("createdAt", shows: false),
      case .value(let shown, nil)? = try content("createdAt", shows: true),
      case .value(_, let shape)? = try content("payload", shows: false)
    else {
      Issue.record("other contents")
      return
    }
    #expect(mark.revealed == nil)
    #expect(shown.revealed == .text("2001-01-01T00:00:00Z"))
    #expect(shape == .jsonArray(values: 2))
  }

  @Test func `a torn store's rows are shown without the columns that it lacks`() throws {
    let zoo = try ZooStore()
    try zoo.damage("ALTER TABLE ZANIMAL DROP COLUMN ZLIVES")
    let cat = try #require(
      try matching("Cat", nil, limit: 1, of: zoo.path).rows.first)
    #expect(cat.properties.first { $0.name == "lives" }?.content == .missingColumn)
  }

  @Test(arguments: sample(10, of: RealStores.folders.map(\.name)))
  func `rows of real stores are shown, as many as there are`(name: String) throws {
    guard let path = RealStores.path(of: name) else { return }
    guard try migrator.inspection(of: path).store.cachedModel != nil else {
      print("skipped: '\(name)' has no model cache")
      return
    }
    for entity in try migrator.status(of: path).entities {
      let listing = try matching(entity.name, nil, limit: 1, of: path, shows: true)
      #expect(listing.selection?.matching == listing.selection?.total)
      #expect((listing.selection?.total ?? 0) >= entity.rows ?? 0)
    }
  }
}
