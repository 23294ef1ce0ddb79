import JSONText
import Migrations
import SQLite
import StoreModel
import SwiftWriting
import TestSupport
import Testing

/// Plans compile, and each stage is one that Core Data carries out, or says that it isn't.
struct PlanTextTests {
  private static func plan(_ versions: [ModelVersion], _ prefix: String) -> SourceText {
    let migrations = zip(versions, versions.dropFirst()).map { old, new in
      if let file = Catalog.bundled.path(from: old, to: new), file.count == 1 {
        return StageMigration(steps: file[0].steps)
      }
      let inferred = InferredMigration(from: old, to: new)
      return StageMigration(
        steps: inferred.migration.steps, questions: inferred.openQuestions)
    }
    let texts = versions.enumerated().map {
      SchemaText(name: "\(prefix)SchemaV\($0)", model: $1.model)
    }
    return SourceText(texts, origins: versions.map(\.name), migrations: migrations)
  }

  private static func versions(of app: String) -> [ModelVersion] {
    Catalog.bundled.versions(of: app).filter { $0.edition == nil }
  }

  @Test(arguments: ["Lume", "FitIQ"])
  func `the plan of an app compiles`(app: String) throws {
    let standIn = try #require(SwiftDataStandIn.shared)
    let plan = Self.plan(Self.versions(of: app), app)
    let complaints = try standIn.complaints(about: [app: plan.text])
    #expect(complaints == [], "\(complaints.joined(separator: "\n"))")
    #expect(plan.text.contains("enum \(app)MigrationPlan: SchemaMigrationPlan {"))
  }

  @Test func `random plans compile, and say what Core Data refuses`() throws {
    let standIn = try #require(SwiftDataStandIn.shared)
    var random = RandomSwiftDataModel(SeededGenerator(printing: "random plans"))
    var texts: [String: String] = [:]
    for place in 0..<rounds(6, torture: 20) {
      let versions = (0..<3).map { number in
        ModelVersion(SchemaFile(app: "random", version: "V\(number)", model: random.model()))
      }
      let plan = Self.plan(versions, "Random\(place)")
      texts["Random\(place)"] = plan.text
      Self.checkStages(of: plan)
    }
    let complaints = try standIn.complaints(about: texts)
    #expect(complaints == [], "\(complaints.joined(separator: "\n"))")
  }

  @Test(arguments: ["Lume", "FitIQ"])
  func `a stage says what Core Data refuses`(app: String) {
    Self.checkStages(of: Self.plan(Self.versions(of: app), app))
  }

  /// Checks that each refusal of Core Data is in the comments of its stage.
  private static func checkStages(of plan: SourceText) {
    for (old, new) in zip(plan.schemas, plan.schemas.dropFirst()) {
      let stage =
        plan.text.split(separator: "static var to\(new.name): ").last.map(String.init) ?? ""
      let text = stage.split(separator: "\n  }\n").first ?? ""
      let words = text.replacing("//", with: "").split { $0.isWhitespace }.joined(separator: " ")
      for effect in AppMigration(from: old.model, to: new.model).effects {
        switch effect {
        case .newMandatory(let entity, _):
          #expect(words.contains("refuses the stage if \(entity) has rows"), "\(new.name)")
        case .nowMandatory(let path): #expect(words.contains("has no \(path):"), "\(new.name)")
        case .typeChanged(let path, _, _), .manyToOne(let path):
          #expect(words.contains("refuses the stage: \(path) changes"), "\(new.name)")
        case .entityDropped, .valuesDropped: break
        }
      }
    }
  }

  @Test func `Lume's outbox gets its new form in two stages`() throws {
    let versions = Self.versions(of: "Lume").suffix(2)
    let plan = Self.plan(Array(versions), "Lume")
    #expect(plan.schemas.map(\.name) == ["LumeSchemaV0", "LumeSchemaV1Bridge", "LumeSchemaV1"])
    // The last version is as it shipped.
    #expect(plan.schemas.last?.model == versions.last?.model)
    let effects = AppMigration(from: plan.schemas[1].model, to: plan.schemas[2].model).effects
    #expect(effects == [.valuesDropped(PropertyPath(entity: "SDOutboxEvent", property: "payload"))])
    for line in [
      "row.metadata = jsonText(row.payload)", "row.entityID = row.id",
      "@Attribute(originalName: \"retryCount\") var attemptCount: Int",
      "var maxAttempts: Int = 5", "// Set SDOutboxEvent.userID here:",
    ] {
      #expect(plan.text.contains(line))
    }
  }

  @Test func `the functions of a plan convert as apply does`() throws {
    let standIn = try #require(SwiftDataStandIn.shared)
    var generator = SeededGenerator(printing: "the functions of a plan")
    let payloads = (0..<300).map { _ in Self.payload(using: &generator) }
    let numbers = (0..<100).map { _ in Double(generator.below(4001)) / 1000 - 2 }
    let program =
      Self.functions(from: Self.plan(Self.versions(of: "Lume"), "L"), "jsonText")
      + Self.functions(from: Self.plan(Self.versions(of: "FitIQ"), "F"), "moodValue")
    let text = """
      import Foundation
      enum Plan {
      \(program)
      }
      for word in CommandLine.arguments.dropFirst() {
        if let number = Double(word.dropFirst()), word.hasPrefix("n") {
          print(Plan.moodValue(number) ?? -1)
        } else {
          print(Plan.jsonText(Data(base64Encoded: String(word.dropFirst()))) ?? "nil")
        }
      }
      """
    let output = try standIn.output(
      of: text, with: payloads.map { "b" + base64Encoded($0) } + numbers.map { "n\($0)" })
    var converter = PayloadConverter()
    let expected = try payloads.map { bytes in
      try Converter.jsonText.convert([.blob(bytes)], using: &converter).values[0].string ?? "nil"
    }
    let moods = try numbers.map { number in
      let made = try Converter.moodValue.convert([.real(number)], using: &converter).values[0]
      return "\(made.int64 ?? -1)"
    }
    #expect(output == (expected + moods).map { $0 + "\n" }.joined())
  }

  /// Returns the lines of a function.
  private static func functions(from plan: SourceText, _ name: String) -> String {
    let lines = plan.text.split(separator: "\n", omittingEmptySubsequences: false)
    let body = lines.drop { !$0.contains("static func \(name)(") }
    return body.prefix { $0 != "  }" }.joined(separator: "\n") + "\n  }\n"
  }

  /// Returns JSON with or without whitespace, or bytes that aren't JSON, without line breaks.
  private static func payload(using generator: inout SeededGenerator) -> [UInt8] {
    let pieces = [
      "{\"a\" : 1, \"b\\\" c\" :[ true,\tnull ] }", "[]", "{}", " [ \"x\\\\\" , \" \" ] ", "null",
      "{\"a\":1,\"a\":2}", "{\"text\":\"é 🙂\"}", "", "plain", "[1,]", "{\"a\":1.50e3}", "[01]",
      "[1.]",
      "[+1]", "['a']", "{\"a\"}", "[\"\\x\"]", "[nul]", "[NaN]", "[\"\u{1}\"]", "[1] 2",
      "{\"a\":1,}",
      "[\"\\u12G4\"]",
    ]
    var bytes = Array(pieces[generator.below(pieces.count)].utf8)
    if generator.below(4) == 0 { bytes += [0xFF] }
    if generator.below(4) == 0 { bytes = [0xEF, 0xBB, 0xBF] + bytes }
    return bytes
  }
}
