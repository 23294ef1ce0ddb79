import StoreModel
import TestSupport
import Testing

@testable import MigrationAuthoring
@testable import StoreMigration
import Migrations

/// What CloudKit allows in a model, and between two versions of one.
@Suite struct CloudKitLintTests {
  private func text(_ name: String, isOptional: Bool = true, _ value: ModelValue? = nil) -> Property
  {
    .attribute(Attribute(name: name, type: .string, isOptional: isOptional, defaultValue: value))
  }

  private func version(_ entities: [Entity], _ name: String = "V1") -> ModelVersion {
    ModelVersion(
      SchemaFile(app: "Zoo", version: name, model: Model(entities: entities)))
  }

  @Test func `each rule is checked in a model`() {
    let ape = Entity(
      name: "Ape",
      properties: [
        text("code", isOptional: false), text("name", isOptional: false, .string("")),
        text("note"),
        .attribute(Attribute(name: "sum", type: .double, isTransient: true)),
        .relationship(
          Relationship(
            name: "bees", destinationName: "Bee", inverseName: "ape", maxCount: 0,
            deleteRule: .deny, isOrdered: true)),
        .relationship(Relationship(name: "friend", destinationName: "Ape", isOptional: false)),
      ], uniquenessConstraints: [["code", "name"]])
    let bee = Entity(
      name: "Bee",
      properties: [
        .relationship(Relationship(name: "ape", destinationName: "Ape", inverseName: "bees"))
      ])
    let findings = LintFinding.violations(in: version([ape, bee]), place: "V1.schema.json")
    #expect(
      findings.map { "\($0.rule.rawValue) \($0.object ?? "")" } == [
        "cloudkit-unique Ape.code+name", "cloudkit-no-inverse Ape.friend",
        "cloudkit-mandatory Ape.code", "cloudkit-mandatory-relationship Ape.friend",
        "cloudkit-deny Ape.bees", "cloudkit-ordered Ape.bees",
      ])
    #expect(findings.allSatisfy { $0.severity == .error && $0.place == "V1.schema.json" })
    for rule in CloudKitRule.allCases { #expect(LintRule(rawValue: rule.rawValue) != nil) }
  }

  @Test func `what a production schema forbids is found between two versions`() {
    func attribute(_ name: String, _ type: AttributeType) -> Property {
      .attribute(Attribute(name: name, type: type, isOptional: true))
    }
    let old = version([
      Entity(
        name: "Ape",
        properties: [
          attribute("age", .integer16), attribute("born", .date), attribute("name", .string),
          attribute("size", .integer64),
          .relationship(
            Relationship(name: "bees", destinationName: "Bee", inverseName: "ape", maxCount: 0)),
          .relationship(
            Relationship(name: "cats", destinationName: "Cat", inverseName: "apes", maxCount: 0)),
        ]),
      Entity(
        name: "Bee",
        properties: [
          .relationship(Relationship(name: "ape", destinationName: "Ape", inverseName: "bees"))
        ]),
      Entity(
        name: "Cat",
        properties: [
          .relationship(
            Relationship(name: "apes", destinationName: "Ape", inverseName: "cats", maxCount: 0))
        ]),
    ])
    let new = version(
      [
        Entity(
          name: "Ape",
          properties: [
            attribute("age", .integer64), attribute("size", .double),
            attribute("title", .string),
          ]),
        Entity(name: "Bee", properties: []),
      ], "V2")
    let findings = LintFinding.schemaChanges(from: old, to: new, by: nil)
    #expect(
      findings.map { "\($0.rule.rawValue) \($0.object ?? "")" } == [
        "cloudkit-removed Ape.born", "cloudkit-removed Ape.cats", "cloudkit-removed Ape.name",
        "cloudkit-type-changed Ape.size", "cloudkit-removed Bee.ape", "cloudkit-removed Cat",
      ])
  }

  @Test func `a migration says what is renamed`() throws {
    let catalog = StoreMigrator(catalog: .bundled).catalog
    let versions = try ["V9", "V10"].map { try #require(catalog.version($0, of: "FitIQ")) }
    let migration = try #require(
      catalog.migrations.first { $0.name == "V9-V10" && $0.app == versions[0].app })
    let findings = LintFinding.schemaChanges(from: versions[0], to: versions[1], by: migration)
    #expect(
      findings.filter { $0.rule == .cloudKitRenamed }.map(\.object) == [
        "SDMoodEntry.valence", "SDPhotoRecognition.processingCompletedAt",
        "SDRecognizedFoodItem.confidenceScore", "SDRecognizedFoodItem.name", "SDUserProfileV9",
      ])
    #expect(
      findings.filter { $0.rule == .cloudKitTypeChanged }.map(\.object)
        == ["SDRecognizedFoodItem.calories"])
  }

  @Test func `a mirrored store is checked for the changes, and any store if asked`() throws {
    for isMirrored in [false, true] {
      let folder = try TemporaryDirectory()
      let path = try makeStore("V8", of: "FitIQ", isMirrored: isMirrored, in: folder)
      let migrator = StoreMigrator(catalog: .bundled)
      func rules(_ checksCloudKit: Bool) throws -> Set<LintRule> {
        Set(
          try migrator.lint(
            path, MigrationRequest(target: "V9"), checksCloudKit: checksCloudKit
          ).findings.map(\.rule).filter { $0.rawValue.hasPrefix("cloudkit") })
      }
      let changes: Set<LintRule> = [.cloudKitRenamed, .cloudKitRemoved]
      #expect(try rules(false) == (isMirrored ? changes.union([.mirrored]) : []))
      #expect(try rules(true) == (isMirrored ? changes.union([.mirrored]) : changes))
    }
  }
}
