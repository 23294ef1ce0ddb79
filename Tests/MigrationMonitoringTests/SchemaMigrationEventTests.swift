import JSONText
import Migrations
import Platform
import StoreFixtures
import StoreMigration
import StoreModel
import TestSupport
import Testing

@testable import MigrationMonitoring

@Suite struct SchemaMigrationEventTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
    let model = try #require(Catalog.bundled.version("V6", of: "Lume")).model
    try createFixture(
      app: "lume", version: "V6", model: model, at: path, options: FixtureOptions(rows: 40))
  }

  @Test func `a migration has a beginning and an end`() throws {
    var events: [SchemaMigrationEvent] = []
    let migrator = StoreMigrator(catalog: .bundled)
    let report = try migrator.apply(to: path) { events.append($0) }
    #expect(events.map(\.name) == ["schema_migration_started", "schema_migration_completed"])
    let started = try #require(events.first)
    #expect(started == .started(app: "Lume", from: "V6", to: "V7"))
    #expect(started.properties["from_version"] as? String == "V6")
    #expect(started.properties["to_version"] as? String == "V7")
    guard case .completed(let end)? = events.last else {
      Issue.record("no end")
      return
    }
    #expect(end.isSuccess && end.rows == report.rowsWritten && end.rows > 0)
    #expect(end.app == "Lume" && end.from == "V6" && end.to == "V7" && end.duration > .zero)
    #expect(events.last?.properties["success"] as? Bool == true)
    #expect(events.last?.properties["duration_ms"] as? Int64 == end.duration.wholeMilliseconds)
    let line = JSONValue.object(events[1].members).text()
    #expect(
      line.hasPrefix(#"{"event":"schema_migration_completed","app":"Lume","from_version":"V6""#))

    // There is nothing to do now.
    events = []
    _ = try migrator.apply(to: path) { events.append($0) }
    guard case .completed(let again)? = events.last else {
      Issue.record("no end")
      return
    }
    #expect(again.isSuccess && again.rows == 0 && again.from == "V7" && again.to == "V7")
  }

  @Test func `a migration that fails has an end, too`() throws {
    var events: [SchemaMigrationEvent] = []
    try FileSystem.replace(path, with: Array("no store".utf8))
    #expect(throws: MigrationError.self) {
      try StoreMigrator(catalog: .bundled).apply(to: path) { events.append($0) }
    }
    #expect(events.first == .started(app: nil, from: nil, to: nil))
    guard case .completed(let end)? = events.last else {
      Issue.record("no end")
      return
    }
    #expect(!end.isSuccess && end.rows == 0 && events.count == 2)
    #expect(events.last?.properties["from_version"] == nil)
  }
}
