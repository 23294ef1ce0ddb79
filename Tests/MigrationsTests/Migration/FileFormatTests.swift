import Foundation
import JSONText
import StoreModel
import TestSupport
import Testing

@testable import Migrations

/// The JSON Schemas in `Documentation/schemas` admit what the readers admit.
@Suite struct FileFormatTests {
  /// A format, its reader, and documents of it.
  struct Subject: CustomTestStringConvertible, Sendable {
    let name: String
    let format: JSONFormat
    let read: @Sendable ([UInt8]) throws(JSONError) -> Void

    /// Documents that together have every key.
    let documents: [String]

    /// What the reader refuses and a schema can't, by a part of the sentence.
    let beyond: [String]

    var testDescription: String { name }
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let subjects = [
    Subject(
      name: "migration", format: Migration.format,
      read: { (bytes) throws(JSONError) in _ = try Migration(parsing: bytes, file: nil) },
      documents: FileExamples.steps.map(FileExamples.migration),
      beyond: [
        "a conversion reads attributes of one entity only", "; name that many",
        "an entity has no default", "a constant is", "a backfill needs a converter from one",
        "a value can't keep its old type", "not valid Base64",
        "an entity is split by 'into'", "is named twice", "is about an entity",
        "unknown name",
        // The verb isn't the first key.
        "unknown verb",
      ]),
    Subject(
      name: "schema", format: SchemaFile.format,
      read: { (bytes) throws(JSONError) in _ = try SchemaFile(parsing: bytes, file: nil) },
      documents: [FileExamples.schema, FileExamples.captured],
      beyond: [
        "duplicate entity", "duplicate property", "unknown property", "refers to unknown entity",
        "inherits from itself", "differ only in case", "isn't valid Base64", "not valid Base64",
        "remove its hash", "doesn't match its definition",
      ]),
    Subject(
      name: "edition", format: AbandonedEdition.format,
      read: { (bytes) throws(JSONError) in _ = try AbandonedEdition(parsing: bytes, file: nil) },
      documents: [FileExamples.edition], beyond: []),
    Subject(
      name: "converters", format: ConverterFile.format,
      read: { (bytes) throws(JSONError) in _ = try ConverterFile(parsing: bytes, file: nil) },
      documents: [FileExamples.converters],
      beyond: [
        "a range is", "unknown name", "as its inverse", "in this file twice", "the tool has a",
        "the formula can't be used", "the Swift function isn't called",
      ]),
  ]

  @Test(arguments: subjects)
  func `the published schema is the reader's`(subject: Subject) throws {
    let difference = try PublishedSchema(subject.name, subject.format).difference()
    #expect(difference == nil)
  }

  @Test(arguments: subjects)
  func `the examples have every key, and are admitted`(subject: Subject) throws {
    let check = try JSONSchemaCheck(subject.format.schema.text())
    var keys: Set<String> = []
    for text in subject.documents {
      let node = try JSONNode(parsing: text)
      try subject.read(Array(text.utf8))
      #expect(try check.violations(in: node) == [], "\(text)")
      keys.formUnion(node.keys)
    }
    #expect(Set(subject.format.allKeys).subtracting(keys) == [])
  }

  @Test func `every file of the repository is admitted`() throws {
    let files = try #require(FileManager.default.subpaths(atPath: Self.root.path))
      .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".build") && !$0.contains("/schemas/") }
    var counts: [String: Int] = [:]
    for path in files.sorted() {
      let bytes = try Array(Data(contentsOf: Self.root.appending(path: path)))
      let node = try JSONNode(parsing: bytes, file: path)
      let kind =
        [".schema.json", ".edition.json", ConverterFile.suffix]
        .firstIndex { path.hasSuffix($0) }.map { $0 + 1 } ?? 0
      // Other files of the repository are no migrations.
      guard try kind > 0 || node.object.optional("steps") != nil else { continue }
      let subject = Self.subjects[kind]
      try subject.read(bytes)
      let check = try JSONSchemaCheck(subject.format.schema.text())
      #expect(try check.violations(in: node) == [], "\(path)")
      counts[subject.name, default: 0] += 1
    }
    print("\(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key) files" })")
    #expect(counts["migration", default: 0] >= 20 && counts["schema", default: 0] >= 20)
    #expect(counts["edition", default: 0] >= 3 && counts["converters", default: 0] >= 1)
  }

  @Test func `the steps that the documentation shows are admitted`() throws {
    let check = try JSONSchemaCheck(Migration.format.schema.text())
    var verbs: Set<String> = []
    for name in ["MigrationFiles", "WritingMigrations"] {
      let page = try String(
        contentsOf: Self.root.appending(path: "Documentation/\(name).md"), encoding: .utf8)
      for line in page.split(separator: "\n") {
        let text = line.drop { $0 == " " }
        let step = String(text.last == "," ? text.dropLast() : text)
        guard text.hasPrefix("{ \""), let node = try? JSONNode(parsing: step),
          let verb = try node.object.keys.first.flatMap(Verb.init), verb != .decide
        else { continue }
        let file = FileExamples.migration(step)
        _ = try Migration(parsing: Array(file.utf8), file: nil)
        #expect(try check.violations(in: JSONNode(parsing: file)) == [], "\(step)")
        verbs.insert(verb.rawValue)
      }
    }
    #expect(verbs == Set(Verb.decided.map(\.rawValue)))
  }

  @Test(arguments: subjects)
  func `reader and schema agree about changed documents`(subject: Subject) throws {
    var trial = try FormatTrial(subject.format, named: subject.name, beyond: subject.beyond)
    try trial.run(
      rounds(1_500, torture: 6_000), on: subject.documents, reader: subject.read)
    print("\(subject.name): \(trial)")
    #expect(trial.disagreements == [])
    #expect(trial.admitted > 50 && trial.refused > 800)
  }

  /// The schemas are valid by the metaschema of their draft, and admit the same files elsewhere.
  @Test func `another implementation reads the schemas`() throws {
    let script = """
      import json, sys
      try:
          from jsonschema import Draft202012Validator as Validator
      except ImportError:
          print("no module"); sys.exit(0)
      schema = json.load(open(sys.argv[1]))
      Validator.check_schema(schema)
      for line in sys.stdin if len(sys.argv) < 3 else sys.argv[2:]:
          print("yes" if Validator(schema).is_valid(json.loads(line)) else "no")
      """
    for subject in Self.subjects {
      var mutate = JSONMutation(
        seed: printedSeed("\(subject.name) files for another implementation"),
        keys: subject.format.allKeys, values: subject.format.allNames.map { .string($0) })
      let check = try JSONSchemaCheck(subject.format.schema.text())
      var texts = subject.documents
      let documents = try texts.map { JSONValue(try JSONNode(parsing: $0)) }
      for run in 0..<200 { texts.append(mutate(documents[run % documents.count]).text()) }
      texts = texts.filter { (try? JSONNode(parsing: $0)) != nil }
      let (status, output) = try runToEnd(
        [
          "/usr/bin/env", "python3", "-c", script,
          PublishedSchema(subject.name, subject.format).file.path,
        ] + texts, in: "/",
        environment: ProcessInfo.processInfo.environment)
      if output == "no module\n" || status == 127 {
        print("skipped: python3 has no module 'jsonschema' (Debian: python3-jsonschema)")
        return
      }
      let expected = try texts.map { text in
        try check.violations(in: JSONNode(parsing: text)).isEmpty ? "yes" : "no"
      }
      let answers = output.split(separator: "\n").map(String.init)
      #expect(status == 0 && answers.count == texts.count, "\(output.prefix(400))")
      for (text, (answer, own)) in zip(texts, zip(answers, expected)) {
        #expect(answer == own, "\(text)")
      }
    }
  }
}

extension JSONNode {
  /// All keys of objects in it.
  fileprivate var keys: Set<String> {
    switch value {
    case .array(let elements): Set(elements.flatMap(\.keys))
    case .object(let members): Set(members.flatMap { [$0.key] + $0.node.keys })
    default: []
    }
  }
}
