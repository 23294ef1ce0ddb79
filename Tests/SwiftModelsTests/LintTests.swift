import Foundation
import SourceDeclarations
import StoreModel
import SwiftModels
import TestSupport
import Testing

/// A sample app without mistakes, and each mistake that `lint` finds in Swift source.
@Suite struct LintTests {
  private static let app = """
    enum SchemaV1: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }

      @Model final class Trip {
        var id: UUID = UUID()
        var title: String = ""
        var days: Int = 1
        var note: String?
        @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop]?
      }
      @Model final class Stop {
        var name: String = ""
        var trip: Trip?
      }
    }
    enum SchemaV2: VersionedSchema {
      static let versionIdentifier = Schema.Version(2, 0, 0)
      static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }

      @Model final class Trip {
        var id: UUID = UUID()
        var title: String = ""
        var days: Int = 1
        var note: String?
        var mood: Mood = Mood.good
        @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop]?
      }
      @Model final class Stop {
        var name: String = ""
        var trip: Trip?
      }
    }
    enum SchemaV3: VersionedSchema {
      static let versionIdentifier = Schema.Version(3, 0, 0)
      static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }

      @Model final class Trip {
        var id: UUID = UUID()
        @Attribute(originalName: "title") var name: String = ""
        var days: Int = 1
        var note: String?
        var mood: Mood = Mood.good
        var added: Date = Date()
        @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop]?
      }
      @Model final class Stop {
        var name: String = ""
        var trip: Trip?
      }
    }
    enum Mood: String, Codable { case good, bad }
    typealias Trip = SchemaV3.Trip
    typealias Stop = SchemaV3.Stop
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self, SchemaV3.self] }
      static var stages: [MigrationStage] { [first, second] }
      static let first = MigrationStage.lightweight(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self)
      static let second = MigrationStage.custom(
        fromVersion: SchemaV2.self, toVersion: SchemaV3.self, willMigrate: nil, didMigrate: nil)
    }
    func container() throws -> ModelContainer {
      let configuration = ModelConfiguration(cloudKitDatabase: .private("iCloud.sample"))
      return try ModelContainer(for: Trip.self, migrationPlan: Plan.self, configurations: configuration)
    }
    @Model final class Draft { var text: String = "" }
    """

  /// A mistake, as an edit of the sample: after the name of a schema, one text becomes another.
  struct Mistake: CustomTestStringConvertible, Sendable {
    let rule: SourceRule
    let schema: String
    let old: String
    let new: String
    let line: Int

    var testDescription: String { "\(rule.rawValue): \(new)" }
  }

  private static let mistakes = [
    Mistake(
      rule: .sameChecksum, schema: "SchemaV2", old: "    var mood: Mood = Mood.good\n", new: "",
      line: 17),
    Mistake(
      rule: .sameIdentifier, schema: "SchemaV2", old: "(2, 0, 0)", new: "(1, 0, 0)", line: 17),
    Mistake(
      rule: .liveClass, schema: "SchemaV1", old: "Stop.self]", new: "Stop.self, Draft.self]",
      line: 1),
    Mistake(
      rule: .liveClass, schema: "SchemaV3", old: "Stop.self]", new: "Stop.self, Draft.self]",
      line: 34),
    Mistake(
      rule: .originalName, schema: "SchemaV3", old: "\"title\"", new: "\"note\"", line: 40),
    Mistake(
      rule: .originalName, schema: "SchemaV3", old: "var days",
      new: "@Attribute(originalName: \"title\") var days", line: 41),
    Mistake(
      rule: .mandatoryWithoutDefault, schema: "SchemaV2", old: "var mood: Mood = Mood.good",
      new: "var mood: Mood", line: 26),
    Mistake(
      rule: .mandatoryWithoutDefault, schema: "SchemaV2", old: "var note: String?",
      new: "var note: String", line: 25),
    Mistake(
      rule: .mandatoryWithoutDefault, schema: "SchemaV2", old: "var trip: Trip?",
      new: "var trip: Trip?\n    var trip2: Trip", line: 32),
    Mistake(
      rule: .typeChanged, schema: "SchemaV2", old: "days: Int = 1", new: "days: String = \"1\"",
      line: 24),
    Mistake(
      rule: .typeChanged, schema: "SchemaV3", old: "name: String = \"\"", new: "name: Int = 1",
      line: 40),
    Mistake(
      rule: .typeChanged, schema: "SchemaV2", old: "var title: String", new: "var title: Mood?",
      line: 23),
    Mistake(
      rule: .manyToOne, schema: "SchemaV2", old: "var stops: [Stop]?", new: "var stops: Stop?",
      line: 27),
    Mistake(
      rule: .versionNotInPlan, schema: "enum Plan", old: "SchemaV1.self, SchemaV2.self, ",
      new: "SchemaV2.self, ", line: 1),
    Mistake(
      rule: .strayStage, schema: "enum Plan", old: "SchemaV1.self, SchemaV2.self, ",
      new: "SchemaV2.self, ", line: 58),
    Mistake(
      rule: .missingStage, schema: "enum Plan", old: "[first, second]", new: "[first]", line: 55),
    Mistake(
      rule: .planOrder, schema: "enum Plan", old: "SchemaV2.self, SchemaV3.self]",
      new: "SchemaV3.self, SchemaV2.self]", line: 55),
    Mistake(
      rule: .cloudKitUnique, schema: "SchemaV3", old: "var id", new: "@Attribute(.unique) var id",
      line: 39),
    Mistake(
      rule: .cloudKitMandatory, schema: "SchemaV3", old: "name: String = \"\"\n    var trip",
      new: "name: String\n    var trip", line: 48),
    Mistake(
      rule: .cloudKitMandatoryLink, schema: "SchemaV3", old: "var stops: [Stop]?",
      new: "var stops: [Stop]", line: 45),
    Mistake(
      rule: .cloudKitNoInverse, schema: "SchemaV3", old: ", inverse: \\Stop.trip", new: "",
      line: 45),
    Mistake(rule: .cloudKitDeny, schema: "SchemaV3", old: ".cascade", new: ".deny", line: 45),
    Mistake(
      rule: .unknownType, schema: "SchemaV3", old: "var note: String?", new: "var note: Elsewhere?",
      line: 42),
  ]

  private func findings(in text: String, stores: [ShippedStore] = []) throws -> [SourceFinding]? {
    try parsed(text)?.lint(stores: stores)
  }

  @Test func `the sample has no mistakes`() throws {
    guard let found = try findings(in: Self.app) else { return }
    #expect(found.map(\.description) == [])
  }

  /// Returns the sample with another text in one of its versions.
  private func replacing(
    _ old: String, with new: String, in schema: String, of app: String = Self.app
  ) throws -> String {
    let start = try #require(app.range(of: schema))
    let place = try #require(app[start.lowerBound...].range(of: old), "\(old)")
    return app.replacingCharacters(in: place, with: new)
  }

  @Test func `a property that was renamed twice may keep its first name`() throws {
    let note = "var note: String?"
    let renamed = try replacing(
      note, with: "@Attribute(originalName: \"note\") var remark: String = \"\"", in: "SchemaV2")
    let text = try replacing(
      note, with: "@Attribute(originalName: \"note\") var words: String", in: "SchemaV3",
      of: renamed)
    guard let found = try findings(in: text) else { return }
    // Only CloudKit needs a default, for rows that it adds.
    #expect(found.map(\.rule) == [.cloudKitMandatory])
  }

  @Test(arguments: mistakes)
  func `a mistake is found with its place`(mistake: Mistake) throws {
    let text = try replacing(mistake.old, with: mistake.new, in: mistake.schema)
    guard let found = try findings(in: text) else { return }
    #expect(
      found.contains { $0.rule == mistake.rule && $0.place.position.line == mistake.line },
      "\(found.map { "\($0.rule.rawValue) \($0)" })")
  }

  @Test func `a version that was changed after it shipped is found`() throws {
    guard let source = try parsed(Self.app) else { return }
    let first = source.model(of: source.versions[0]).model
    #expect(try source.lint(stores: [ShippedStore(path: "a", model: first)]) == [])
    var entities = first.entities
    entities.removeLast()
    entities.append(
      Entity(
        name: "Trip", properties: [.attribute(Attribute(name: "id", type: .uuid))]))
    let edited = Model(entities: entities, versionIdentifiers: ["1.0.0"])
    let found = try source.lint(stores: [ShippedStore(path: "a", model: edited)])
    #expect(found.map(\.rule) == [.storeContradicts])
    #expect(found.first?.place.position.line == 5)
    let foreign = Model(entities: entities, versionIdentifiers: ["9.0.0"])
    let other = try source.lint(stores: [ShippedStore(path: "a", model: foreign)])
    #expect(other.map(\.message) == ["no version has the model of the store 'a'"])
  }
}
