import Migrations
import SQLite
import StoreFixtures
import StoreModel
import StoreProof
import TestSupport
import Testing

@testable import StoreMigration

/// Saved plans whose formulas read the rows at the other end of links.
@Suite struct LinkedPlanTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  private static func schema(_ version: String, _ added: String) throws -> SchemaFile {
    try SchemaFile(
      """
      { "format_version": 1, "app": "trips", "version": "\(version)", "identifiers": ["\(version)"], "entities": [
        { "name": "City", "attributes": [{ "name": "code", "type": "String", "optional": true },
          { "name": "note", "type": "String", "optional": true }],
          "relationships": [{ "name": "trips", "to": "Trip", "optional": true, "many": true, "max": 0, "inverse": "city" }] },
        { "name": "Trip", "attributes": [{ "name": "title", "type": "String", "optional": true }\(added)],
          "relationships": [{ "name": "city", "to": "City", "optional": true, "inverse": "trips" }] } ] }
      """)
  }

  private static let made = #", { "name": "made", "type": "String", "optional": true }"#
  private static let number = #", { "name": "place", "type": "Integer 64", "optional": true }"#

  /// Saves a plan, changes a column of the cities, and returns why the plan is refused.
  private func moves(_ step: String, adding added: String, after change: String) throws
    -> [PlanMove]
  {
    let old = try Self.schema("V1", "")
    try createFixture(
      app: "trips", version: "V1", model: old.model, at: path, options: FixtureOptions(rows: 12))
    func write(_ sql: String) throws { try Connection(path: path, mode: .readWrite).execute(sql) }
    try write(
      """
      UPDATE ZCITY SET ZCODE = 'c' || Z_PK, ZNOTE = '';
      UPDATE ZTRIP SET ZCITY = Z_PK % (SELECT count(*) FROM ZCITY) + 1;
      """)
    let migrator = try StoreMigrator([old, Self.schema("V2", added)], steps: [step])
    let request = MigrationRequest(acceptedLosses: ["all"])
    let plan = try migrator.planFile(for: path, request)
    try write(change)
    do {
      _ = try migrator.apply(plan, to: path)
      return []
    } catch {
      guard case .request(.stalePlan(let moves)) = error.cause else { throw error }
      return moves
    }
  }

  private static let steps: [(step: String, added: String)] = [
    (#"{ "compute": "Trip.made", "sql": "city.code" }"#, made),
    (#"{ "delete": "Trip", "where": "city.code = 'c1'", "because": "it is over" }"#, ""),
    (#"{ "unite": "Trip", "by": ["city.code"], "keep": "first" }"#, ""),
    (#"{ "unite": "Trip", "by": ["title"], "keep": "newest city.code" }"#, ""),
    (#"{ "sequence": "Trip.place", "by": ["city.code"] }"#, number),
  ]

  @Test(arguments: steps.indices)
  func `a plan is stale if a value that a formula reads through a link changed`(place: Int) throws {
    let (step, added) = Self.steps[place]
    let change = "UPDATE ZCITY SET ZCODE = 'd' || (100 - Z_PK) WHERE Z_PK = 1"
    #expect(
      try moves(step, adding: added, after: change)
        == [.rows(EntityChange(entity: "City", added: 0, changed: 1, removed: 0))])
  }

  @Test(arguments: steps.indices)
  func `it isn't because of another value of the same row`(place: Int) throws {
    let (step, added) = Self.steps[place]
    #expect(
      try moves(step, adding: added, after: "UPDATE ZCITY SET ZNOTE = 'x' WHERE Z_PK = 1") == [])
  }
}
