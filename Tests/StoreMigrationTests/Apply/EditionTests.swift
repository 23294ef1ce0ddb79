import JSONText
import Platform
import SQLite
import StoreFixtures
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Several models share a version's number: each is recognised as what it is.
@Suite struct EditionTests {
  @Test(arguments: [
    ("FitIQ", "V1@early", "V11"), ("FitIQ", "V3@guide", "V11"), ("Lume", "V3@early", "V7"),
    ("Lume", "V4@early", "V7"), ("Lume", "V6@plan", "V7@plan"), ("Lume", "V7@additive", "V7"),
  ])
  func `an edition that is known in full is migrated by a file of its own`(
    app: String, edition: String, newest: String
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(edition, of: app, users: 1, in: folder)
    let migrator = try bundledMigrator()
    let recognition = try migrator.status(of: path).recognition
    #expect(recognition.match == .exact)
    #expect(recognition.version?.name == edition)
    let rowCounts = try EntityRows(of: path).rows.mapValues(\.count)
    let report = try migrator.apply(
      to: path,
      MigrationRequest(
        userID: "6F9619FF-8B86-4D01-B42D-00CF4FC964FF", acceptedLosses: ["all"]))
    #expect(report.to == newest)
    let migrated = try EntityRows(of: path)
    for (entity, count) in rowCounts {
      let name = entity == "SDUserProfile" && app == "FitIQ" ? "SDUserProfileV11" : entity
      #expect(migrated[name].count == count, "\(entity)")
    }
    #expect(try migrator.verify(path).isPassed)
  }

  @Test func `the guide's V3 loses its unique index and nothing else`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V3@guide", of: "FitIQ", in: folder)
    let indexes =
      "SELECT name FROM sqlite_schema WHERE tbl_name LIKE 'Z%' AND sql LIKE 'CREATE UNIQUE%'"
    let changing: Set = ["Z_METADATA", "Z_MODELCACHE"]
    let before = try dump(path, leavingOut: changing)
    #expect(try rows(of: "(\(indexes))", in: path).count == 1)
    _ = try bundledMigrator().apply(to: path, MigrationRequest(target: "V3"))
    #expect(try rows(of: "(\(indexes))", in: path).isEmpty)
    #expect(try dump(path, leavingOut: changing) == before)
  }

  @Test func `an early insight was generated when it was created`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V4@early", of: "Lume", in: folder)
    _ = try bundledMigrator().apply(to: path, MigrationRequest(target: "V4"))
    let insights = try rows(of: "ZSDAIINSIGHT", in: path)
    #expect(!insights.isEmpty)
    #expect(insights.allSatisfy { $0["ZGENERATEDAT"] == $0["ZCREATEDAT"] })
    #expect(insights.allSatisfy { $0["ZISARCHIVED"] == 0 && $0["ZREADAT"] == .null })
  }

  /// A change to a version's schema file that makes an abandoned form of it.
  struct Abandoned: CustomTestStringConvertible {
    let app: String
    let version: String
    let replacing: String
    let with: String
    let edition: String
    var identifiers: (String, String)?

    var testDescription: String { "\(edition): \(with)" }
  }

  static let abandoned = [
    Abandoned(
      app: "FitIQ", version: "V9", replacing: #", "inverse": "moodEntries""#, with: "",
      edition: "V9@first"),
    Abandoned(
      app: "FitIQ", version: "V10", replacing: #"{ "name": "startTime", "type": "Date","#,
      with: #"{ "name": "startDate", "type": "Date","#, edition: "V10@first"),
    Abandoned(
      app: "FitIQ", version: "V10",
      replacing: #"{ "name": "errorMessage", "type": "String", "optional": true },"#, with: "",
      edition: "V10@first"),
    Abandoned(
      app: "Lume", version: "V6", replacing: #"{ "name": "content", "type": "String" },"#,
      with: #"""
        { "name": "content", "type": "String" },
        { "name": "isSynced", "type": "Boolean" },
        """#, edition: "V6@old", identifiers: ("6.0.0", "0.0.6")),
  ]

  @Test(arguments: abandoned)
  func `a form that was given up is explained, and not mistaken`(form: Abandoned) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("default.store")
    try createFixture(
      app: "Other", version: form.version, model: try model(form), at: path,
      options: FixtureOptions(rows: 5, seed: 1, userCount: 1))
    let migrator = try bundledMigrator()
    let recognition = try migrator.status(of: path).recognition
    #expect(recognition.match == .unknown)
    #expect(recognition.abandoned?.name == form.edition)
    let error = #expect(throws: MigrationError.self) { try migrator.apply(to: path) }
    #expect(error?.exitStatus == .unknownStore)
    #expect(error?.description.contains(form.edition) == true)
    #expect(try folder.names == ["default.store"])
  }

  private func model(_ form: Abandoned) throws -> Model {
    let file = try #require(
      EmbeddedFile.all.first {
        $0.path == "\(form.app.lowercased())/\(form.version).schema.json"
      })
    var text = String(decoding: file.bytes, as: UTF8.self)
    #expect(text.contains(form.replacing))
    text = text.replacing(form.replacing, with: form.with)
    if let (old, new) = form.identifiers { text = text.replacing("\"\(old)\"", with: "\"\(new)\"") }
    return try SchemaFile(parsing: Array(text.utf8), file: nil).model
  }
}
