import Foundation
import Migrations
import SQLite
import StoreFixtures
import StoreMigration
import StoreModel
import StoreUpgradeExample
import TestSupport
import Testing

/// The example of an app that upgrades its store when it starts.
@Suite struct StoreUpgraderTests {
  private static let examples = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Documentation/Examples")
  private static let migrations = examples.appending(
    path: "app/Sources/BookshelfApp/Resources/Migrations")

  private let folder: TemporaryDirectory
  private let store: URL

  init() throws {
    folder = try TemporaryDirectory()
    store = URL(filePath: folder.path("default.store"))
  }

  private func makeStore() throws {
    let file = Self.migrations.appending(path: "V1.schema.json")
    let schema = try SchemaFile(parsing: Array(try Data(contentsOf: file)), file: "V1")
    try createFixture(
      app: "bookshelf", version: "V1", model: schema.model, at: store.path,
      options: FixtureOptions(rows: 30, seed: 1, userCount: 1))
  }

  private func makeUpgrader() throws -> StoreUpgrader {
    try StoreUpgrader(
      store: store, migrations: Self.migrations, acceptedLosses: ["V1-V2:Book.shelfName"])
  }

  private func version() throws -> String? {
    let names = ["V1.schema.json", "V2.schema.json"]
    let contents = try names.map { name in
      (name, Array(try Data(contentsOf: Self.migrations.appending(path: name))))
    }
    let catalog = try Catalog(migrationFiles: Dictionary(uniqueKeysWithValues: contents))
    return try StoreMigrator(catalog: catalog).status(of: store.path).version
  }

  @Test func `a store is upgraded once, phase by phase`() throws {
    try makeStore()
    let upgrader = try makeUpgrader()
    var phases: [ApplyPhase] = []
    #expect(!upgrader.isCurrent())
    #expect(upgrader.run { phases.append($0) } == .upgraded(from: "V1"))
    #expect(phases.contains(.writing) && phases.contains(.proving))
    #expect(try version() == "V2" && upgrader.isCurrent())

    let bytes = try Data(contentsOf: store)
    #expect(upgrader.run() == .current)
    #expect(try Data(contentsOf: store) == bytes)
    upgrader.pruneSnapshots()
    #expect(try StoreMigrator(catalog: .bundled).snapshots(of: store.path).snapshots.count == 1)
  }

  @Test func `the app has the migrations that the document shows`() throws {
    let files = FileManager.default
    let shown = Self.examples.appending(path: "bookshelf/upgrade")
    let names = try files.contentsOfDirectory(atPath: shown.path).sorted()
    #expect(names.count == 3)
    #expect(try files.contentsOfDirectory(atPath: Self.migrations.path).sorted() == names)
    for name in names {
      let file = try Data(contentsOf: shown.appending(path: name))
      #expect(try Data(contentsOf: Self.migrations.appending(path: name)) == file, "\(name)")
    }
  }

  @Test func `an app without a store has nothing to upgrade`() throws {
    #expect(try makeUpgrader().run() == .current)
    #expect(try !makeUpgrader().isCurrent())
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }

  @Test func `a loss that the app doesn't accept leaves the store as it is`() throws {
    try makeStore()
    let bytes = try Data(contentsOf: store)
    let outcome = try StoreUpgrader(store: store, migrations: Self.migrations).run()
    guard case .failed(let reason) = outcome else {
      Issue.record("the loss isn't accepted: \(outcome)")
      return
    }
    #expect(reason.contains("V1-V2:Book.shelfName"))
    #expect(try Data(contentsOf: store) == bytes)
  }

  @Test func `a cancelled upgrade leaves the store as it is`() throws {
    try makeStore()
    let bytes = try Data(contentsOf: store)
    let upgrader = try makeUpgrader()
    #expect(upgrader.run(isCancelled: { true }) == .cancelled)
    #expect(try Data(contentsOf: store) == bytes)
    #expect(upgrader.run() == .upgraded(from: "V1"))
  }

  @Test func `a store in use and a file that is no store stay as they are`() throws {
    try makeStore()
    let upgrader = try makeUpgrader()
    do {
      let other = try Connection(path: store.path, mode: .readWrite)
      try other.execute("BEGIN EXCLUSIVE")
      #expect(upgrader.run() == .busy)
      try other.execute("ROLLBACK")
    }
    #expect(try version() == "V1")
    #expect(upgrader.run() == .upgraded(from: "V1"))

    let text = Data("not a store".utf8)
    try text.write(to: store)
    guard case .failed(let reason) = upgrader.run() else {
      Issue.record("a text isn't a store")
      return
    }
    #expect(reason.contains("default.store"))
    #expect(try Data(contentsOf: store) == text)
  }

  @Test func `a migration file that can't be read is named with its place`() throws {
    let broken = URL(filePath: folder.path("migrations"))
    try FileManager.default.createDirectory(at: broken, withIntermediateDirectories: true)
    try Data("{\n  \"format_version\": true\n}".utf8).write(
      to: broken.appending(path: "V1-V2.json"))
    do {
      _ = try StoreUpgrader(store: store, migrations: broken)
      Issue.record("the file has no version")
    } catch {
      #expect("\(error)".hasPrefix("V1-V2.json:2:"))
    }
  }
}
