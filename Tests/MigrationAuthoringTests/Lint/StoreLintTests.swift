import SQLite
import StoreModel
import TestSupport
import Testing

@testable import MigrationAuthoring
@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

@Suite struct StoreLintTests {
  private let seed = printedSeed("lint", below: 10_000)

  private func makeLinted(
    _ app: String, _ version: String, in folder: TemporaryDirectory
  ) throws -> (path: String, findings: [LintFinding]) {
    let path = try makeStore(version, of: app, seed: seed, in: folder)
    let before = try fingerprint(of: folder)
    let report = try StoreMigrator(catalog: .bundled).lint(path)
    #expect(try fingerprint(of: folder) == before)
    return (path, report.findings)
  }

  private func lines(_ findings: [LintFinding]) -> [String] {
    findings.map {
      "\($0.migration ?? "") \($0.rule.rawValue) \($0.object ?? ""): \($0.rows ?? -1)"
    }
  }

  @Test func `what Lume's own migration does to an outbox is counted`() throws {
    let folder = try TemporaryDirectory()
    let (path, findings) = try makeLinted("Lume", "V6", in: folder)
    let events = try rows(of: "ZSDOUTBOXEVENT", in: path)
    let payloads = events.count { !($0["ZPAYLOAD"]?.bytes ?? []).isEmpty }
    let counts = events.count { $0["ZRETRYCOUNT"] != .integer(0) }
    #expect(
      lines(findings) == [
        "V6-V7 mandatory-without-default SDOutboxEvent: \(events.count)",
        "V6-V7 values-dropped SDOutboxEvent.payload: \(payloads)",
        "V6-V7 values-dropped SDOutboxEvent.retryCount: \(counts)",
      ])
    #expect(findings.allSatisfy { $0.severity == .error })
    #expect(findings[1].remedy == "the plan converts it to 'metadata'")
  }

  @Test func `without rows nothing is lost, and what isn't known is a note`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 0, in: folder)
    let findings = try StoreMigrator(catalog: .bundled).lint(path).findings
    #expect(lines(findings) == ["V6-V7 mandatory-without-default SDOutboxEvent: 0"])
    #expect(findings.map(\.severity) == [.note])
  }

  @Test func `a profile that is lost three times takes every link with it`() throws {
    let folder = try TemporaryDirectory()
    let (path, findings) = try makeLinted("FitIQ", "V8", in: folder)
    let tables = [
      "ACTIVITYSNAPSHOT", "DIETARYANDACTIVITYPREFERENCES", "MEAL", "MOODENTRY",
      "PHYSICALATTRIBUTE", "PROGRESSENTRY", "SLEEPSESSION",
    ]
    let links = try tables.reduce(0) { sum, table in
      sum
        + (try rows(of: "ZSD" + table, in: path).count { $0["ZUSERPROFILE"]?.isNull == false })
    }
    let profiles = try rows(of: "ZSDUSERPROFILE", in: path).count
    let dropped = findings.filter { $0.rule == .entityDropped }
    #expect(
      lines(dropped) == [
        "V8-V9 entity-dropped SDUserProfile: \(profiles)",
        "V9-V10 entity-dropped SDUserProfileV9: \(profiles)",
        "V10-V11 entity-dropped SDUserProfileV10: \(profiles)",
      ])
    for finding in dropped { #expect(finding.message.contains(" \(links) link")) }
    #expect(
      dropped.map(\.remedy)
        == ["SDUserProfileV9", "SDUserProfileV10", "SDUserProfileV11"].map {
          "the plan renames it to '\($0)', with its rows and every link"
        })
  }

  @Test func `what has no place in the plan either is as much as the plan says`() throws {
    let folder = try TemporaryDirectory()
    let (path, findings) = try makeLinted("FitIQ", "V9", in: folder)
    let plan = try StoreMigrator(catalog: .bundled).plan(for: path)
    let converted = plan.steps.filter { $0.verb == "convert" }.map(\.object)
    let losses = plan.losses.filter {
      // What names an owner may stand in a link afterwards; the profile goes as a whole in the app.
      !$0.step.hasSuffix(".userID") && !$0.step.contains("SDUserProfile")
    }
    #expect(losses.count > 10)
    for loss in losses {
      let found = findings.first { "\($0.migration ?? ""):\($0.object ?? "")" == loss.step }
      // The app drops every value; of a converted one the plan loses what can't be restored.
      let isConverted = converted.contains(loss.object)
      #expect(
        isConverted ? found?.rows ?? 0 >= loss.rows : found?.rows == loss.rows, "\(loss.step)")
      #expect(found?.remedy?.contains("--accept-data-loss \(loss.step)") == true)
    }
  }

  @Test func `types that change keep the app from opening a store`() throws {
    let folder = try TemporaryDirectory()
    let (path, findings) = try makeLinted("FitIQ", "V7", in: folder)
    let items = try rows(of: "ZSDMEALLOGITEM", in: path)
    let quantities = items.count { $0["ZQUANTITY"]?.string?.isEmpty == false }
    #expect(
      lines(findings).contains("V7-V8 type-changed SDMealLogItem.quantity: \(quantities)"))
    #expect(
      lines(findings).contains { $0.hasPrefix("V9-V10 type-changed SDRecognizedFoodItem.calories") }
    )
  }

  @Test func `what only the app can migrate is said, with no word of a plan`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 5, in: folder)
    let old = try #require(Catalog.bundled.version("V6", of: "Lume"))
    var entities = old.model.entities
    entities[0].superentityName = "SDThing"
    let thing = Entity(
      name: "SDThing",
      properties: [.attribute(Attribute(name: "note", type: .string, isOptional: true))])
    let model = Model(entities: entities + [thing], versionIdentifiers: ["9.0.0"])
    let request = MigrationRequest(schema: SchemaFile(app: "Lume", version: "V9", model: model))
    let findings = try StoreMigrator(catalog: .bundled).lint(path, request).findings
    #expect(findings.map(\.rule) == [.unsupported])
    #expect(
      findings[0].message == "'\(entities[0].name)' gets the new super-entity 'SDThing', which has "
        + "properties: outbox-migrate can't migrate the store, only the app can")
    #expect(findings.allSatisfy { $0.remedy == nil })
  }

  @Test func `a store at the newest version has nothing to find`() throws {
    let folder = try TemporaryDirectory()
    #expect(try makeLinted("Lume", "V7", in: folder).findings == [])
  }
}

@Suite struct AppMigrationTests {
  private func model(_ entities: [Entity]) -> Model { Model(entities: entities) }

  @Test func `renaming identifiers are followed as Core Data follows them`() {
    let old = model([
      Entity(name: "A", properties: [.attribute(Attribute(name: "x", type: .string))])
    ])
    let attribute = Attribute(name: "y", type: .string, renamingIdentifier: "x")
    let renamed = model([
      Entity(name: "B", properties: [.attribute(attribute)], renamingIdentifier: "A")
    ])
    #expect(AppMigration(from: old, to: renamed).effects == [])
    let unnamed = model([Entity(name: "B", properties: [.attribute(attribute)])])
    #expect(AppMigration(from: old, to: unnamed).effects == [.entityDropped("A")])
  }

  @Test func `an attribute may become wider, optional, or mandatory with a default`() {
    func effects(_ old: Attribute, _ new: Attribute) -> [AppMigration.Effect] {
      AppMigration(
        from: model([Entity(name: "A", properties: [.attribute(old)])]),
        to: model([Entity(name: "A", properties: [.attribute(new)])])
      ).effects
    }
    let path = PropertyPath(entity: "A", property: "x")
    func x(_ type: AttributeType, optional: Bool = false, _ value: ModelValue? = nil) -> Attribute {
      Attribute(name: "x", type: type, isOptional: optional, defaultValue: value)
    }
    #expect(effects(x(.integer16), x(.integer64)) == [])
    #expect(effects(x(.string), x(.string, optional: true)) == [])
    #expect(effects(x(.string, optional: true), x(.string, .string(""))) == [])
    #expect(effects(x(.string, optional: true), x(.string)) == [.nowMandatory(path)])
    #expect(
      effects(x(.string), x(.double)) == [.typeChanged(path, from: "String", to: "Double")])
    #expect(
      effects(x(.string), Attribute(name: "y", type: .string)) == [
        .newMandatory(entity: "A", attributes: ["y"]), .valuesDropped(path),
      ])
  }
}
