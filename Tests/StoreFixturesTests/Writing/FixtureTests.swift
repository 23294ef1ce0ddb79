import Platform
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import TestSupport
import Testing

@Suite struct FixtureTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `all bundled versions are known to these tests`() {
    #expect(
      BundledVersion.all.count == EmbeddedFile.all.count { $0.path.hasSuffix(".schema.json") })
    #expect(BundledVersion.all.count >= 22)
  }

  @Test(arguments: BundledVersion.all)
  func `a fixture is a sound store of its version`(version: BundledVersion) throws {
    let path = try version.fixture(in: directory)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    #expect(try connection.integrityCheck().isEmpty)
    let description = try StoreDescription(reading: connection)
    #expect(description.problems.isEmpty)
    #expect(description.metadata?.hashes == VersionHashes(version.model))
    #expect(description.metadata?.versionIdentifiers == version.model.versionIdentifiers)
    #expect(description.cachedModel.map(VersionHashes.init) == VersionHashes(version.model))
    let numbers = EntityNumbering(version.model)
    #expect(description.appEntityNumbers.map(\.name) == numbers.names)
    #expect(description.entityNumbers.suffix(3).map(\.number) == [16_001, 16_002, 16_003])
    #expect(try connection.pragma("page_size").int64 == 4_096)
    #expect(try connection.pragma("auto_vacuum").int64 == 2)
    // Bytes 18 and 19 are the format versions for writing and reading: 2 is WAL (fileformat2.html
    // §1.3).
    #expect(try FileSystem.read(path)[18...19] == [2, 2])
    #expect(try directory.names == ["default.store"])
  }

  @Test(arguments: sample(6, of: BundledVersion.all))
  func `the same seed gives the same rows and another one others`(version: BundledVersion) throws {
    let first = try dump(version.fixture(in: directory, named: "1", rows: 40, seed: 7))
    let second = try dump(version.fixture(in: directory, named: "2", rows: 40, seed: 7))
    let other = try dump(version.fixture(in: directory, named: "3", rows: 40, seed: 8))
    #expect(first == second)
    #expect(first != other)
  }

  @Test(arguments: sample(8, of: BundledVersion.all), [0, 1, 2, 17, 18])
  func `small fixtures work`(version: BundledVersion, rows: Int) throws {
    let path = try version.fixture(in: directory, rows: rows)
    let layout = StoreLayout(version.model)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    #expect(try connection.integrityCheck().isEmpty)
    for table in layout.tables {
      let count = try connection.value("SELECT count(*) FROM \(table.name)")?.int64
      if table.rootEntity == "SDOutboxEvent" {
        #expect(count == Int64(rows))
      } else {
        #expect(try #require(count) > 0)
      }
    }
  }

  @Test func `a fixture of no users has no profiles`() throws {
    let version = try BundledVersion.named("Lume", "V6")
    let path = try version.fixture(in: directory, userCount: 0)
    #expect(try column("SELECT count(*) FROM ZSDUSERPROFILE", of: path) == [0])
  }

  @Test(arguments: [1, 2, 5])
  func `each user has a profile with an id of its own`(userCount: Int) throws {
    for (app, name, id) in [("Lume", "V6", "ZUSERID"), ("FitIQ", "V8", "ZID")] {
      let version = try BundledVersion.named(app, name)
      let path = try version.fixture(in: directory, named: app, userCount: userCount)
      let ids = try column("SELECT \(id) FROM ZSDUSERPROFILE", of: path)
      #expect(ids.count == userCount)
      #expect(Set(ids).count == userCount)
    }
  }

  @Test func `nothing that is there is overwritten`() throws {
    let version = try BundledVersion.named("Lume", "V6")
    for companion in ["", "-wal", "-shm", "-journal"] {
      let path = directory.path("store\(companion.dropFirst())")
      try FileSystem.create(path + companion, [1, 2, 3])
      let error = #expect(throws: FixtureError.self) {
        try createFixture(app: "lume", version: "V6", model: version.model, at: path)
      }
      #expect(
        error?.description == "'\(path + companion)' exists; remove it or choose another path")
      #expect(try FileSystem.read(path + companion) == [1, 2, 3])
    }
  }

  @Test func `a fixture that can't be made leaves nothing`() throws {
    let version = try BundledVersion.named("Lume", "V6")
    let path = directory.path("missing/default.store")
    let error = #expect(throws: FixtureError.self) {
      try createFixture(app: "lume", version: "V6", model: version.model, at: path)
    }
    #expect(
      error?.description
        == "there is no folder '\(directory.path("missing"))'; create it first")
    #expect(try directory.names.isEmpty)
  }

  @Test(arguments: [
    (FixtureOptions(rows: -1), "a fixture can't have -1 rows; give 0 or more"),
    (FixtureOptions(userCount: -2), "a fixture can't have -2 users; give 0 or more"),
  ])
  func `numbers below zero are refused`(options: FixtureOptions, text: String) throws {
    let version = try BundledVersion.named("Lume", "V6")
    let error = #expect(throws: FixtureError.self) {
      try createFixture(
        app: "lume", version: "V6", model: version.model, at: directory.path("x"), options: options)
    }
    #expect(error?.description == text)
  }
}
