import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import TestSupport
import Testing

/// Checks that the smallest fixture contains the edge cases of each conversion, for any seed.
@Suite struct EdgeCaseTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test(arguments: BundledVersion.all.filter { !$0.name.contains("@") }, [1, 2, 3] as [UInt64])
  func `the smallest fixture has every edge case`(version: BundledVersion, seed: UInt64) throws {
    let path = try version.fixture(in: directory, rows: 0, seed: seed, userCount: 3)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let number = try #require(Int(version.name.dropFirst()))
    let cases = EdgeCase.all.filter { $0.app == version.app && $0.versions.contains(number) }
    for edge in cases {
      let count = try connection.value("SELECT count(*) FROM \(edge.rows)")?.int64 ?? 0
      #expect(count > 0, "\(edge.name)")
    }
  }

  @Test func `every case is one of a version`() {
    for edge in EdgeCase.all {
      let names = edge.versions.map { "V\($0)" }
      let known = BundledVersion.all.filter { $0.app == edge.app }.map(\.name)
      #expect(Set(names).isSubset(of: known), "\(edge.name)")
    }
    #expect(Set(EdgeCase.all.map { "\($0.name) \($0.versions)" }).count == EdgeCase.all.count)
    #expect(EdgeCase.all.count > 180)
  }

  @Test(arguments: BundledVersion.all)
  func `every entity, relationship and optional attribute has rows with and without`(
    version: BundledVersion
  ) throws {
    let path = try version.fixture(in: directory, rows: 0, userCount: 2)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    for table in StoreLayout(version.model).tables where table.rootEntity != "SDOutboxEvent" {
      let rows = try connection.value("SELECT count(*) FROM \(table.name)")?.int64 ?? 0
      #expect(rows > 0, "\(table.name)")
      for column in table.columns {
        guard let isOptional = version.isOptional(column.content) else { continue }
        let filled =
          try connection.value("SELECT count(\(column.name)) FROM \(table.name)")?.int64 ?? 0
        #expect(filled > 0, "\(table.name).\(column.name)")
        if isOptional { #expect(filled < rows, "\(table.name).\(column.name)") }
      }
    }
  }

  @Test(arguments: BundledVersion.all.filter { $0.app == "FitIQ" })
  func `without users there are rows, but no links to users`(version: BundledVersion) throws {
    let path = try version.fixture(in: directory, rows: 30, userCount: 0)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    for table in StoreLayout(version.model).tables {
      let rows = try connection.value("SELECT count(*) FROM \(table.name)")?.int64 ?? 0
      let isPerUser =
        table.rootEntity.hasPrefix("SDUserProfile")
        || table.rootEntity == "SDDietaryAndActivityPreferences"
      #expect((rows > 0) == !isPerUser, "\(table.name)")
      for column in table.columns where column.name == "ZUSERPROFILE" {
        #expect(try connection.value("SELECT count(ZUSERPROFILE) FROM \(table.name)") == 0)
      }
    }
  }
}

extension BundledVersion {
  /// Returns whether a column may be NULL, or `nil` if it is a key or doesn't belong to a property.
  fileprivate func isOptional(_ content: Column.Content) -> Bool? {
    switch content {
    case .attribute(let entity, let path, _):
      guard path != ["id"], case .attribute(let attribute) = model[entity]?[path[0]] else {
        return nil
      }
      let isUnique = model[entity]?.uniquenessConstraints.contains([attribute.name]) == true
      return isUnique ? nil : attribute.isOptional
    case .foreignKey(let entity, let name):
      guard case .relationship(let relationship) = model[entity]?[name] else { return nil }
      return relationship.isOptional
    default: return nil
    }
  }
}
