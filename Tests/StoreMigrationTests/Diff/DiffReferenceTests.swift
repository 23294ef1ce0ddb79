import Platform
import StoreFixtures
import StoreModel
import TestSupport
import Testing

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Stores and copies of them with random changes, against a comparison of dictionaries.
@Suite struct DiffReferenceTests {
  @Test(arguments: 1...40)
  func `what differs is what dictionaries say`(seed: UInt64) throws {
    let folder = try TemporaryDirectory()
    let (a, b) = (folder.path("a.store"), folder.path("b.store"))
    try makeMenagerie(MenagerieModel.first, at: a, seed: seed)
    try FileSystem.copy(a, to: b)
    try RandomEdits.make(Int(seed % 8) * 6, in: b, seed: seed)
    try RandomEdits.make(Int(seed % 3) * 4, in: a, seed: seed + 1000)
    try expectSame(a, b, in: folder, seed: seed)
  }

  @Test(arguments: [("Lume", "V7"), ("FitIQ", "V11")], [UInt64(1), 2, 3])
  func `stores of the apps differ as dictionaries say`(
    version: (app: String, name: String), seed: UInt64
  ) throws {
    let folder = try TemporaryDirectory()
    let a = try makeStore(version.name, of: version.app, rows: 40, seed: seed, in: folder)
    let b = folder.path("b.store")
    try FileSystem.copy(a, to: b)
    try RandomEdits.make(60, in: b, seed: seed)
    try expectSame(a, b, in: folder, seed: seed)
  }

  /// Expects the same differences, counts that add up to them, and files that stay as they were.
  private func expectSame(
    _ a: String, _ b: String, in folder: TemporaryDirectory, seed: UInt64
  ) throws {
    let (mine, theirs) = (try ReferenceStore(a), try ReferenceStore(b))
    let expected = mine.differences(to: theirs)
    let before = try fingerprint(of: folder)
    let (difference, told) = try bundledMigrator().told(a, b)
    #expect(try fingerprint(of: folder) == before)
    #expect(told == expected, "seed \(seed)")
    #expect(difference.isEqual == expected.isEmpty, "seed \(seed)")
    for entity in difference.entities {
      let rows = expected.filter { $0.name == entity.name.name }
      let count = mine.rows.keys.count { $0.entity == entity.name.name }
      #expect(Int(entity.rowsOnlyInA) == rows.count { $0.kind == .onlyInA }, "seed \(seed)")
      #expect(Int(entity.rowsOnlyInB) == rows.count { $0.kind == .onlyInB }, "seed \(seed)")
      #expect(Int(entity.rowsChanged) == rows.count { $0.kind == .changed }, "seed \(seed)")
      #expect(
        Int(entity.rowsOnlyInA + entity.rowsChanged + entity.rowsEqual) == count, "seed \(seed)")
      #expect(entity.unpaired.isEmpty)
      for property in entity.properties {
        let cells = rows.count { $0.properties.contains(property.name.name) }
        #expect(Int(property.cellsChanged) == cells, "seed \(seed): \(property.name.name)")
      }
    }
    for relationship in difference.relationships {
      let links = expected.filter { $0.name == relationship.name.name }
      let count = mine.links[relationship.name.name]?.count ?? 0
      #expect(Int(relationship.linksOnlyInA) == links.count { $0.kind == .onlyInA })
      #expect(Int(relationship.linksOnlyInB) == links.count { $0.kind == .onlyInB })
      #expect(Int(relationship.linksChanged) == links.count { $0.kind == .changed })
      let all = relationship.linksOnlyInA + relationship.linksChanged + relationship.linksEqual
      #expect(Int(all) == count)
    }
  }
}

/// Creates a store of an app that no catalog knows.
func makeMenagerie(_ model: Model, at path: String, seed: UInt64) throws {
  try createFixture(
    app: "menagerie", version: "1", model: model, at: path,
    options: FixtureOptions(rows: 20, seed: seed))
}
