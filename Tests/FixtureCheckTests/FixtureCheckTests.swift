import Foundation
import Platform
import SQLite
import StoreFormat
import StoreModel
import Testing
import TestSupport

import StoreMigration
@testable import FixtureCheck
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// What `fixture check` finds, and what it leaves alone.
@Suite struct FixtureCheckTests {
  let folder: TemporaryDirectory
  let migrator: StoreMigrator

  init() throws {
    folder = try TemporaryDirectory()
    migrator = StoreMigrator(catalog: Catalog.bundled)
  }

  /// Makes a fixture of Lume V6 in the folder.
  private func makeFixture(
    rows: Int = 20, options: String = "{}", recorded: Bool = true
  ) throws -> FixtureFolder {
    _ = try makeStore("V6", rows: rows, in: folder)
    try write("options.json", options)
    let fixture = try FixtureFolder(folder.path)
    if recorded { _ = try migrator.record(fixture) }
    return fixture
  }

  private func write(_ name: String, _ text: String) throws {
    try FileSystem.removeIfPresent(folder.path(name))
    try FileSystem.create(folder.path(name), Array(text.utf8))
  }

  private func expectedText() throws -> String {
    String(decoding: try FileSystem.read(folder.path("expected.txt")), as: UTF8.self)
  }

  private func change(_ sql: String) throws {
    let connection = try Connection(path: folder.path("default.store"), mode: .create)
    try connection.set(.defensive, to: false)
    try connection.execute(sql)
    try connection.walCheckpointTruncate()
  }

  private func failure(_ path: String? = nil) -> FixtureFolderError? {
    #expect(throws: FixtureFolderError.self) {
      _ = try migrator.check(try FixtureFolder(path ?? folder.path))
    }
  }

  @Test func `what was recorded is found again, and the folder stays as it was`() throws {
    let fixture = try makeFixture()
    let before = try fingerprint(of: folder)
    let report = try migrator.check(fixture)
    #expect(report.isPassed)
    #expect(report.app == "Lume" && report.from == "V6" && report.to == "V7")
    #expect(try fingerprint(of: folder) == before)
    #expect(try folder.names == ["default.store", "expected.txt", "options.json"])
  }

  @Test func `every row of every entity is expected, with every property`() throws {
    let fixture = try makeFixture()
    let report = try migrator.check(fixture)
    let lines = try expectedText().split(separator: "\n")
    let inspection = try StoreInspection(path: fixture.store, catalog: migrator.catalog)
    let counts = try inspection.rowCounts()
    #expect(report.rows == counts.values.reduce(0, +))
    for (entity, count) in counts {
      #expect(lines.count { $0.hasPrefix(entity + "/") } == Int(count), "\(entity)")
    }
    let model = try #require(migrator.catalog.version("V7", of: "Lume")).model
    let properties = counts.reduce(0) { sum, entity in
      sum + Int(entity.value) * (model[entity.key]?.properties.count ?? 0)
    }
    #expect(lines.count { $0.hasPrefix("  ") } == properties)
  }

  @Test func `a store with a log becomes what it becomes with the log folded in`() throws {
    let fixture = try makeFixture()
    let logged = try TemporaryDirectory()
    do {
      let connection = try Connection(path: fixture.store, mode: .readWrite)
      try connection.execute("UPDATE ZSDMOODENTRY SET ZNOTES = 'later' WHERE Z_PK = 1")
      for name in ["default.store", "default.store-wal", "options.json", "expected.txt"] {
        try FileSystem.copy(folder.path(name), to: logged.path(name))
      }
    }
    let before = try fingerprint(of: logged)
    let report = try migrator.check(FixtureFolder(logged.path))
    #expect(report.differences.map(\.property) == ["notes"])
    #expect(report.differences.map(\.found) == ["\"later\""])
    #expect(try fingerprint(of: logged) == before)
    #expect(try FileSystem.exists(folder.path("default.store-wal")) == false)
    _ = try migrator.record(fixture)
    _ = try migrator.record(FixtureFolder(logged.path))
    #expect(
      try FileSystem.read(folder.path("expected.txt"))
        == FileSystem.read(logged.path("expected.txt")))
  }

  @Test(arguments: [
    ("\"mood not found\"", "\"mood found\"", "errorMessage"),
    ("maxAttempts: 5", "maxAttempts: 6", "maxAttempts"),
    ("isNewRecord: true", "isNewRecord: false", "isNewRecord"),
    ("priority: 0", "priority: 0.0", "priority"),
    ("metadata: null\n  priority", "metadata: \"\"\n  priority", "metadata"),
  ])
  func `another value is a difference`(old: String, new: String, property: String) throws {
    let fixture = try makeFixture(rows: 120)
    let text = try expectedText()
    let place = try #require(text.firstRange(of: old))
    try write("expected.txt", text.replacingCharacters(in: place, with: new))
    let report = try migrator.check(fixture)
    #expect(report.differenceCount == 1 && !report.isPassed)
    #expect(report.differences.map(\.change) == [.changed])
    #expect(report.differences.map(\.property) == [property])
    #expect(report.differences.map(\.entity) == ["SDOutboxEvent"])
  }

  @Test func `rows that are gone, new or about nothing are differences`() throws {
    let fixture = try makeFixture()
    var rows = try expectedText().components(separatedBy: "\n\n")
    let title = rows.removeFirst()
    let mood = try #require(rows.firstIndex { $0.hasPrefix("SDMoodEntry/2\n") })
    rows[mood] = "SDMoodEntry/2000000\n  notes: null"
    rows.append("SDNothing/1\n  id: null")
    rows.swapAt(mood, mood + 1)
    try write("expected.txt", ([title] + rows).joined(separator: "\n\n"))
    let error = try #require(failure())
    #expect(error.description.contains("must come before 'SDMoodEntry/2000000'"))
    #expect(error.exitStatus == .badFile)
    let last = try #require(rows.lastIndex { $0.hasPrefix("SDMoodEntry/") })
    rows.insert(rows.remove(at: mood + 1), at: last)
    try write("expected.txt", ([title] + rows).joined(separator: "\n\n"))
    let found = try migrator.check(fixture).differences.map {
      "\($0.change) \($0.entity ?? "")/\($0.key ?? 0)"
    }
    #expect(
      found == ["unexpected SDMoodEntry/2", "missing SDMoodEntry/2000000", "missing SDNothing/1"])
  }

  @Test func `properties that are gone or new are differences`() throws {
    let fixture = try makeFixture()
    let text = try expectedText()
    try write(
      "expected.txt", text.replacing("  maxAttempts: 5\n", with: "  most: 5\n", maxReplacements: 1))
    let found = try migrator.check(fixture).differences
    #expect(found.map(\.change) == [.unexpected, .missing])
    #expect(found.map(\.property) == ["maxAttempts", "most"])
  }

  @Test func `another version is a difference`() throws {
    let fixture = try makeFixture()
    let text = try expectedText()
    try write("expected.txt", text.replacing("1: Lume V7\n", with: "1: Lume V8\n"))
    let found = try migrator.check(fixture).differences
    #expect(found.map(\.property) == ["version"])
    #expect(found.map(\.expected) == ["Lume V8"] && found.map(\.found) == ["Lume V7"])
  }

  @Test func `many differences are counted, and the first are kept`() throws {
    let fixture = try makeFixture(rows: 60)
    let text = try expectedText()
    try write("expected.txt", text.replacing("  maxAttempts: 5\n", with: "  maxAttempts: 4\n"))
    let report = try migrator.check(fixture)
    #expect(report.differenceCount == 60)
    #expect(report.differences.count == FixtureComparison.limit)
  }
}

// MARK: - What can't be checked

extension FixtureCheckTests {
  @Test func `a folder without expected rows says how to make them`() throws {
    _ = try makeFixture(recorded: false)
    let error = try #require(failure())
    #expect(error == .noExpectation(folder.path))
    #expect(error.exitStatus == .noStore)
    #expect(error.description.contains("outbox-migrate fixture check --record \(folder.path)"))
  }

  @Test func `what is missing of a folder is named`() throws {
    #expect(throws: FixtureFolderError.noFixtures(folder.path)) {
      try FixtureFolder.paths(at: folder.path)
    }
    #expect(throws: FixtureFolderError.noFolder("/nowhere/at/all")) {
      try FixtureFolder.paths(at: "/nowhere/at/all")
    }
    try write("options.json", "{}")
    #expect(throws: FixtureFolderError.notAFolder(folder.path("options.json"))) {
      try FixtureFolder.paths(at: folder.path("options.json"))
    }
    #expect(try FixtureFolder.paths(at: folder.path + "//") == [folder.path])
    #expect(failure() == .noStore(folder.path))
    _ = try makeStore("V6", in: folder)
    try FileSystem.remove(folder.path("options.json"))
    #expect(failure() == .noOptions(folder.path))
    try FileSystem.copy(folder.path("default.store"), to: folder.path("other.store"))
    #expect(failure() == .severalStores(folder.path, names: ["default.store", "other.store"]))
  }

  @Test func `a store may have another of the names that apps give`() throws {
    for name in ["Model.sqlite", "Data.storedata"] {
      let fixture = folder.path(name + "-fixture")
      try FileSystem.createDirectory(fixture)
      _ = try makeStore("V6", in: folder)
      try FileSystem.rename(folder.path("default.store"), to: "\(fixture)/\(name)")
      try FileSystem.create("\(fixture)/options.json", Array("{}".utf8))
      #expect(try FixtureFolder(fixture).store == "\(fixture)/\(name)")
    }
  }

  @Test func `folders in a folder are found, emptied ones too, those of other files aren't`() throws
  {
    for name in ["b", "a", "empty", "other", ".hidden"] {
      try FileSystem.createDirectory(folder.path(name))
      let file = name == "empty" ? ".DS_Store" : name == "other" ? "list.plist" : "expected.txt"
      try FileSystem.create(folder.path("\(name)/\(file)"), [])
    }
    let paths = try FixtureFolder.paths(at: folder.path)
    #expect(paths == ["a", "b", "empty"].map { folder.path($0) })
    #expect(throws: FixtureFolderError.noStore(folder.path("empty"))) {
      try FixtureFolder(folder.path("empty"))
    }
  }

  @Test(arguments: [
    (#"{ "user_ids": "x" }"#, "1:3: error: unknown key 'user_ids'; did you mean 'user_id'?"),
    (#"{ "to": 7 }"#, "1:9: error: expected a string, not a number"),
    (
      #"{ "rows": "document" }"#, "1:11: error: unknown name 'document'; did you mean 'documented'?"
    ),
    (
      #"{ "to": "V8.schema.json" }"#,
      "1:9: error: there is no schema file 'V8.schema.json' in the folder; check the path"
    ),
    ("{}, 1", "1:3: error: unexpected text after the JSON value; remove it"),
  ])
  func `bad options are refused with their place`(options: String, message: String) throws {
    try write("options.json", options)
    _ = try makeStore("V6", in: folder)
    let error = try #require(failure())
    #expect(error.exitStatus == .badFile)
    #expect(error.description == folder.path("options.json") + ":" + message)
  }

  @Test func `options are what apply is asked for`() throws {
    let version = try #require(migrator.catalog.version("V7", of: "Lume"))
    let schema = SchemaFile(app: version.app, version: version.name, model: version.model)
    try write("V7.schema.json", schema.text)
    let owner = "1F6E9A7C-5A5E-4C3B-9D8E-0A1B2C3D4E5F"
    let fixture = try makeFixture(
      options: """
        { "to": "V7.schema.json", "user_id": "\(owner)", "rows": "documented",
          "accept_data_loss": ["all"] }
        """, recorded: false)
    #expect(fixture.request.target == "V7.schema.json")
    #expect(fixture.request.schema == schema)
    #expect(fixture.request.userID == owner)
    #expect(fixture.request.acceptedLosses == ["all"])
  }

  @Test(arguments: [
    (
      "", 1,
      "the first line isn't 'outbox-migrate fixture 1: APP VERSION'; create the file with 'outbox-migrate fixture check --record'"
    ),
    (
      "outbox-migrate fixture 2: Lume V7\n", 1,
      "unsupported format version; this tool reads version 1"
    ),
    (
      "outbox-migrate fixture 1: Lume V7\n\n  a: 1\n", 3,
      "expected a row, such as 'Entity/1', or a property, such as '  name: value'"
    ),
    (
      "outbox-migrate fixture 1: Lume V7\nA/1\n  a\n", 3,
      "the property has no value; write '  name: value'"
    ),
    (
      "outbox-migrate fixture 1: Lume V7\nA/x\n", 2,
      "expected a row, such as 'Entity/1', or a property, such as '  name: value'"
    ),
  ])
  func `expected rows that can't be read are refused with their place`(
    text: String, line: Int, message: String
  ) throws {
    _ = try makeFixture(recorded: false)
    try write("expected.txt", text)
    let error = try #require(failure())
    #expect(error.exitStatus == .badFile)
    #expect(error.description == "\(folder.path("expected.txt")):\(line):1: error: \(message)")
  }

  @Test func `a store that can't be migrated fails at its stage`() throws {
    _ = try makeFixture()
    let path = folder.path("default.store")
    let bytes = try FileSystem.read(path)
    try FileSystem.replace(path, with: Array(bytes.prefix(bytes.count / 2)))
    var error = try #require(failure())
    #expect(error.exitStatus == .verificationFailed)
    #expect(error.description.hasPrefix("'\(folder.path)' fails to plan: '\(path)' is truncated"))
    try FileSystem.replace(path, with: Array("no database".utf8))
    error = try #require(failure())
    #expect(error.description.contains("isn't a SQLite database"))
    try FileSystem.replace(path, with: bytes)
    try change("DELETE FROM ZSDUSERPROFILE")
    error = try #require(failure())
    #expect(error.description.hasPrefix("'\(folder.path)' fails to apply: rows need an owner"))
    #expect(error.description.hasSuffix("; a fixture's options are in its options.json"))
    #expect(error.exitStatus == .verificationFailed)
  }

  @Test func `an entity that is dropped is a loss that apply reports as it was planned`() throws {
    let path = try makeStore("V7", rows: 20, in: folder)
    let version = try #require(migrator.catalog.version("V7", of: "Lume"))
    let rest = version.model.entities.filter { $0.name != "SDStatistics" }
    let schema = SchemaFile(
      app: "Lume", version: "V8", model: Model(entities: rest, versionIdentifiers: ["8.0.0"]))
    let migration = Migration(
      app: "Lume", from: "V7", to: "V8", steps: [.dropEntity("SDStatistics")])
    let migrator = StoreMigrator(
      catalog: migrator.catalog.merging(
        Catalog(versions: [ModelVersion(schema)], migrations: [migration])))
    try write("options.json", #"{ "accept_data_loss": ["V7-V8:SDStatistics"] }"#)
    let fixture = try FixtureFolder(folder.path)
    _ = try migrator.record(fixture)
    #expect(try migrator.check(fixture).isPassed)
    let plan = try migrator.plan(for: path, fixture.request)
    let report = try migrator.apply(to: path, fixture.request)
    #expect(report.losses == plan.losses && report.losses.map(\.object) == ["SDStatistics"])
  }

  @Test func `a store whose rows changed isn't what it was expected to become`() throws {
    let fixture = try makeFixture()
    try change("UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = x'00FF' WHERE Z_PK = 3")
    let found = try migrator.check(fixture).differences
    #expect(found.map(\.property) == ["metadata"] && found.map(\.key) == [3])
    #expect(found.map(\.found) == ["\"AP8=\""])
  }
}
