import Foundation
import Platform
import Processes
import TestSupport
import Testing

import StoreMigration
@testable import FixtureCheck
import Migrations
import StoreProof

/// The committed fixtures: a store, the options it is migrated with, and what it must become.
@Suite struct FixtureFolderTests {
  static let root =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/Fixtures"

  static let paths = (try? FixtureFolder.paths(at: root)) ?? []

  @Test func `there are fixtures of both apps`() {
    let names = Set(Self.paths.map(FileSystem.name))
    let lume = ["lume-V6", "lume-V6@plan", "lume-V7@additive"]
    #expect(names.isSuperset(of: lume + [2, 3, 8, 9, 10].map { "fitiq-V\($0)" }))
  }

  @Test(arguments: sample(8, of: paths))
  func `a fixture becomes what its folder says`(path: String) throws {
    let fixture = try FixtureFolder(path)
    let migrator = StoreMigrator(catalog: Catalog.bundled)
    if environment("OUTBOX_MIGRATE_RECORD") == "1" {
      _ = try migrator.record(fixture)
      Issue.record("recorded '\(fixture.expected)'; run again without OUTBOX_MIGRATE_RECORD")
    }
    let report = try migrator.check(fixture)
    #expect(report.differences.isEmpty)
    #expect(report.rows > 0)
    #expect(report.from != report.to)
  }
}
