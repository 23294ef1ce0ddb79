import Foundation
import Platform
import StoreModel
import TestSupport
import Testing

@testable import Migrations

@Suite struct BundleTests {
  static let root =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path + "/migrations"

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

  @Test func `SQLite accepts the formulas of every bundled converter`() throws {
    let files = EmbeddedFile.all.filter { $0.path.hasSuffix(ConverterFile.suffix) }
    #expect(!files.isEmpty)
    for file in files {
      #expect(try !ConverterFile(parsing: file.bytes, file: file.path).converters.isEmpty)
    }
  }

  @Test func `every bundled migration leads from one bundled model to another`() throws {
    let catalog = Catalog.bundled
    #expect(!catalog.migrations.isEmpty)
    for migration in catalog.migrations {
      let source = try #require(catalog.version(migration.from, of: migration.app))
      let target = try #require(catalog.version(migration.to, of: migration.app))
      let lineage = try Lineage(identityOf: source.model)
        .applying(migration, source: source.model, target: target.model)
      #expect(Set(lineage.entities.keys) == Set(target.model.entities.map(\.name)))
    }
  }

  @Test func `a bundled migration is read from its own text again`() throws {
    for migration in Catalog.bundled.migrations {
      let again = try Migration(parsing: Array(migration.text().utf8), file: nil)
      #expect(again.steps == migration.steps)
      #expect(again.name == migration.name)
    }
  }

  @Test func `an app's folder has the app's name`() {
    for app in Catalog.bundled.catalogedApps {
      #expect(!app.catalog.versions.isEmpty && !app.catalog.migrations.isEmpty)
      #expect(app.catalog.versions.allSatisfy { $0.app.isSameApp(as: app.name) })
      #expect(app.catalog.migrations.allSatisfy { $0.app.isSameApp(as: app.name) })
      #expect(app.catalog.abandonedEditions.allSatisfy { $0.app.isSameApp(as: app.name) })
    }
  }

  @Test func `what is read when it is asked for is what all files hold`() throws {
    let files = EmbeddedFile.all.map { ($0.path, $0.bytes) }
    let (lazy, whole) = (Catalog.bundled, try Catalog(files: files))
    #expect(lazy.versions == whole.versions)
    for (version, parsed) in zip(lazy.versions, whole.versions) {
      #expect(version.app == parsed.app && version.name == parsed.name)
      #expect(version.mayHave(parsed.model.hashedNames))
      #expect(!version.mayHave(["no such name"]))
    }
    #expect(lazy.migrations == whole.migrations)
    #expect(lazy.abandonedEditions == whole.abandonedEditions)
    for version in whole.versions {
      let names = version.model.entities.map(\.name)
      // No two of the bundled apps have all entities of a version.
      let asked = lazy.catalogedApps.filter { $0.mayHave(entities: names) }.map(\.name)
      #expect(asked == [version.app.lowercased()], "\(version.app) \(version.name)")
    }
    #expect(lazy.catalogedApps.filter { $0.mayHave(entities: ["OutboxEvent", "Nowhere"]) }.isEmpty)
  }

  @Test func `sha256sum agrees with the checksums of the bundled files`() throws {
    let program = "/usr/bin/sha256sum"
    guard FileManager.default.isExecutableFile(atPath: program) else {
      print("skipped: '\(program)' isn't installed")
      return
    }
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = ["--check", "--strict", "--quiet", "checksums"]
    process.currentDirectoryURL = URL(filePath: Self.root)
    try process.start()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
