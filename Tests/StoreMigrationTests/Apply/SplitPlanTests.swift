import RowInspection
import Migrations
import Platform
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import StoreProof
import TestSupport
import Testing

@testable import StoreMigration

/// What plans, their statements and explanations say of splitting and inlining.
@Suite struct SplitPlanTests: SplitCases {
  let folder: TemporaryDirectory
  let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  @Test func `a saved plan is applied, and is stale once a value changes`() throws {
    let (old, new) = (try Self.joined("V1"), try Self.apart("V2"))
    for (versions, step, sql) in [
      ([old, new], Self.split("value"), Self.three),
      (
        [try Self.apart("V1"), try Self.joined("V2")], Self.inline,
        """
        INSERT INTO ZADDRESS (Z_PK, Z_ENT, Z_OPT, ZSTREET) VALUES (1, ?Address, 1, 'Elm');
        INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT, ZADDRESS) VALUES (1, ?Person, 1, 1);
        """
      ),
    ] {
      let test = try Self()
      try test.make(versions[0], sql)
      let migrator = try migrator(versions, [step])
      let plan = try migrator.planFile(for: test.path)
      #expect(try PlanFile(parsing: Array(plan.text.utf8), file: nil) == plan)
      let report = try migrator.apply(plan, to: test.path)
      #expect(report.conversions == plan.plan.conversions && !report.conversions.isEmpty)
      _ = try migrator.rollback(test.path)
      let table = step == Self.inline ? "ZADDRESS" : "ZBEING"
      try test.change("UPDATE \(table) SET ZSTREET = 'Fir' WHERE Z_PK = 1", versions[0])
      #expect(throws: MigrationError.self) { try migrator.apply(plan, to: test.path) }
    }
  }

  @Test func `the statements of a plan make the rows that apply makes`() throws {
    let (old, new) = (try Self.joined("V1"), try Self.apart("V2"))
    for per in ["row", "value"] {
      let test = try Self()
      try test.make(old, Self.three)
      let migrator = try migrator([old, new], [Self.split(per)])
      let script = try migrator.script(for: test.path, .init())
      let file = folder.path("\(per).new")
      _ = try FileDescriptor(creating: file)
      do {
        let connection = try Connection(path: test.path, mode: .readWrite)
        try connection.attach(path: file, as: "new", mode: .readWriteAlone)
        for statement in script { try connection.execute(statement) }
      }
      try test.apply(migrator)
      for table in ["ZADDRESS", "ZBEING"] {
        #expect(try rows(of: table, in: file) == rows(of: table, in: test.path))
      }
    }
  }

  @Test func `explain shows the step of a row`() throws {
    let (old, new) = (try Self.joined("V1"), try Self.apart("V2"))
    try make(old, Self.three)
    let event = try #require(
      try migrator([old, new], [Self.split("row")]).explain("Person/2", of: path).events.first)
    #expect(event.verb == "split" && event.object == "Person" && event.newName == "Address")
    #expect(event.rule == "moved to the row of 'Address' that 'address' leads to")
    #expect(event.before.map(\.property) == ["street", "city"])
    #expect(event.after.map(\.property) == ["address"])
  }

  @Test func `explain shows the step of an inlined row`() throws {
    let (old, new) = (try Self.apart("V1"), try Self.joined("V2"))
    try make(
      old, "INSERT INTO ZADDRESS (Z_PK, Z_ENT, Z_OPT, ZSTREET) VALUES (1, ?Address, 1, 'Elm');")
    let explanation = try migrator([old, new], [Self.inline]).explain("Address/1", of: path)
    #expect(explanation.newEntity == nil)
    #expect(
      explanation.events.map(\.rule) == ["copied to each row that links to it, and removed"])
  }

  @Test func `a mirrored store is refused if its mirroring knows the rows`() throws {
    let (old, new) = (try Self.joined("V1"), try Self.apart("V2"))
    for (versions, step) in [([old, new], Self.split("row")), ([new, old], Self.inline)] {
      let folder = try TemporaryDirectory()
      let path = folder.path("default.store")
      try createFixture(
        app: "people", version: versions[0].name, model: versions[0].model, at: path,
        options: FixtureOptions(rows: 3, isMirrored: true))
      let migrator = try migrator(
        try versions.enumerated().map { try Self.named("V\($0 + 1)", $1) }, [step])
      var request = MigrationRequest()
      (request.acceptedLosses, request.mirroring) = (["all"], .carry)
      let blockers = try migrator.plan(for: path, request).blockers
      #expect(blockers.map(\.code).contains("cloudkit-rows"), "\(blockers)")
      #expect(throws: MigrationError.self) { try migrator.apply(to: path, request) }
    }
  }

  /// Returns the version under another name.
  private static func named(_ name: String, _ version: ModelVersion) throws -> ModelVersion {
    try version.model["Address"] == nil ? joined(name) : apart(name)
  }
}
