import Foundation
import Platform
import StoreModel
import Testing

@testable import StoreMigration

@Suite struct BundleTests {
  static let root =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/migrations"

  @Test func `what is embedded is what the folder holds`() throws {
    let paths = try ["fitiq", "lume"].flatMap { app in
      try FileSystem.list("\(Self.root)/\(app)").filter { $0.hasSuffix(".json") }
        .map { "\(app)/\($0)" }
    }
    #expect(
      EmbeddedFile.all.map(\.path).sorted() == (paths + ["checksums"]).sorted(), "run make bundle")
    for file in EmbeddedFile.all {
      let stored = try FileSystem.read("\(Self.root)/\(file.path)")
      #expect(stored == file.bytes, "\(file.path)")
    }
  }

  @Test func `every bundled migration leads from one bundled model to another`() throws {
    let catalog = try Catalog.bundled()
    #expect(!catalog.migrations.isEmpty)
    for migration in catalog.migrations {
      let source = try #require(catalog.version(migration.from, of: migration.app))
      let target = try #require(catalog.version(migration.to, of: migration.app))
      let lineage = try Lineage(identityOf: source.model)
        .applying(migration, source: source.model, target: target.model)
      #expect(Set(lineage.entities.keys) == Set(target.model.entities.map(\.name)))
    }
  }
}
