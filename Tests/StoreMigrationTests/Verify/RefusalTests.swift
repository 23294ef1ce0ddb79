import Platform
import SQLite
import StoreFormat
import TestSupport
import Testing

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Stores that no migration carries: refused before anything is touched, with the reason.
@Suite struct RefusalTests {
  let folder: TemporaryDirectory
  let path: String
  let migrator: StoreMigrator

  init() throws {
    folder = try TemporaryDirectory()
    path = try makeStore("V6", in: folder)
    migrator = try bundledMigrator()
  }

  private func damage(_ sql: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(sql)
  }

  /// Expects plan and apply to refuse the store with one sentence, and to leave it alone.
  private func expectRefusal(
    saying reason: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try fingerprint(of: folder)
    let request = MigrationRequest(userID: "6F9619FF-8B86-4D01-B42D-00CF4FC964FF")
    let errors = [
      #expect(throws: MigrationError.self) { try migrator.plan(for: path, request) },
      #expect(throws: MigrationError.self) { try migrator.apply(to: path, request) },
    ]
    for error in errors {
      #expect(error?.exitStatus == .unknownStore, sourceLocation: sourceLocation)
      let sentence = error?.description ?? ""
      #expect(sentence.contains("'\(path)' "), sourceLocation: sourceLocation)
      #expect(sentence.contains(reason), "\(sentence)", sourceLocation: sourceLocation)
    }
    #expect(try fingerprint(of: folder) == before, sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    (
      "CREATE TRIGGER watch AFTER DELETE ON ZSDMOODENTRY BEGIN SELECT 1; END",
      "it has triggers or views ('watch')"
    ),
    ("CREATE VIEW moods AS SELECT 1", "it has triggers or views ('moods')"),
    ("CREATE VIRTUAL TABLE places USING rtree(id, low, high)", "table 'places' is virtual"),
    (
      "ALTER TABLE ZSDMOODENTRY ADD COLUMN ZSUM INTEGER AS (Z_PK + 1)",
      "table 'ZSDMOODENTRY' has a generated column"
    ),
  ])
  func `what isn't understood is refused by name`(sql: String, reason: String) throws {
    try damage(sql)
    #expect(try migrator.status(of: path).recognition.unsupported == [reason])
    try expectRefusal(saying: reason)
  }

  @Test func `a store that mirrors to CloudKit is refused unless the request says how`() throws {
    try damage("CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)")
    let before = try fingerprint(of: folder)
    let request = MigrationRequest(userID: "6F9619FF-8B86-4D01-B42D-00CF4FC964FF")
    let blockers = try migrator.plan(for: path, request).blockers
    #expect(blockers.map(\.code) == ["cloudkit"])
    #expect(blockers.map(\.exitStatus) == [.unknownStore])
    let error = #expect(throws: MigrationError.self) { try migrator.apply(to: path, request) }
    #expect(error?.exitStatus == .unknownStore)
    #expect(error?.description.contains("'\(path)' mirrors to CloudKit") == true)
    #expect(try migrator.status(of: path).recognition.unsupported == [])
    #expect(try fingerprint(of: folder) == before)
  }

  @Test(
    arguments: [
      ("DROP TABLE Z_MODELCACHE", .unknown, "the store has no model cache (table Z_MODELCACHE)"),
      ("DELETE FROM Z_MODELCACHE", .unknown, "the store's model cache is empty (Z_MODELCACHE)"),
      (
        "UPDATE Z_MODELCACHE SET Z_CONTENT = x'FFFF'", .torn,
        "the store's model cache can't be read: "
      ),
      ("UPDATE Z_METADATA SET Z_PLIST = NULL", .torn, "Z_METADATA has no property list"),
      ("UPDATE Z_METADATA SET Z_PLIST = x'00'", .torn, "the store's metadata can't be read: "),
      ("DELETE FROM Z_METADATA", .torn, "Z_METADATA has no row"),
    ] as [(String, Recognition.Match, String)])
  func `a store without metadata or a model cache that can be read is refused`(
    sql: String, match: Recognition.Match, reason: String
  ) throws {
    try damage(sql)
    let recognition = try migrator.status(of: path).recognition
    #expect(recognition.match == match)
    #expect(recognition.disagreements.count == 1)
    #expect(recognition.disagreements[0].hasPrefix(reason))
    try expectRefusal(saying: reason)
  }

  @Test func `a store whose cache is another version's is torn, with all that disagrees`() throws {
    let model = try #require(migrator.catalog.version("V7", of: "Lume")).model
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        "UPDATE Z_MODELCACHE SET Z_CONTENT = ?1", [.blob(try ModelCache.encode(model))])
    }
    let recognition = try migrator.status(of: path).recognition
    #expect(recognition.match == .torn)
    #expect(recognition.disagreements.contains("table 'ZSDOUTBOXEVENT' has no column 'ZMETADATA'"))
    #expect(
      recognition.disagreements.contains(
        "the hash of 'SDOutboxEvent' in the metadata doesn't match the model cache"))
    let report = try migrator.verify(path)
    let failed = report.checks.filter { !$0.isPassed }
    #expect(failed.map(\.name) == ["hashes", "model-cache", "tables"])
    #expect(Set(failed.flatMap(\.details)) == Set(recognition.disagreements))
    try expectRefusal(saying: recognition.disagreements[0])
  }

  @Test(arguments: [
    "DROP TABLE Z_MODELCACHE", "DELETE FROM Z_MODELCACHE",
    "UPDATE Z_MODELCACHE SET Z_CONTENT = x'FF'; UPDATE Z_METADATA SET Z_PLIST = NULL",
  ])
  func `a store without a model can't be verified either`(sql: String) throws {
    try damage(sql)
    let error = #expect(throws: MigrationError.self) { try migrator.verify(path) }
    #expect(error?.exitStatus == .unknownStore)
    #expect(error?.description.contains("model cache") == true)
  }
}
