import Foundation
import TestSupport
import JSONText
import Platform
import StoreModel
import Testing

@testable import MigrationAuthoring
@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

@Suite struct FileLintTests {
  typealias Files = [String: String]

  /// The bundled files of Lume, as texts by path, without checksums.
  static var lume: Files {
    Dictionary(
      uniqueKeysWithValues: EmbeddedFile.all.filter { $0.path.hasPrefix("lume/") }
        .map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) })
  }

  private func lint(_ files: Files) -> [LintFinding] {
    let set = MigrationFileSet(
      folder: "own", files.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) })
    return StoreMigrator.lint(set, besides: Catalog(versions: [], migrations: []))
  }

  private func errors(_ files: Files) -> [String] {
    lint(files).filter { $0.severity == .error }
      .map { "\($0.rule.rawValue) \($0.place ?? "") \($0.object ?? "")" }
  }

  private func changing(_ path: String, _ change: (inout String) -> Void) -> Files {
    var files = Self.lume
    change(&files[path, default: ""])
    return files
  }

  @Test func `the files that are part of the tool have no errors`() throws {
    let findings = StoreMigrator.lint(.bundled, besides: Catalog(versions: [], migrations: []))
    #expect(findings.filter { $0.severity == .error } == [])
    #expect(findings.allSatisfy { $0.rule == .oneWay }, "make bundle writes checksums of new files")
    #expect(errors(Self.lume) == [])
  }

  @Test func `a mistake in a file has its place`() {
    let files = changing("lume/V6-V7.json") { $0.replace("\"rename\"", with: "\"renam\"") }
    #expect(
      errors(files) == ["bad-file own/lume/V6-V7.json:9:7 "]
        + (1...6).map { "unreachable  V\($0)" })
  }

  @Test func `a version that can't get to the newest is unreachable`() {
    var files = Self.lume
    files["lume/V4-V5.json"] = nil
    #expect(errors(files) == (1...4).map { "unreachable  V\($0)" })
    let notes = lint(files).filter { $0.rule == .unreachable && $0.severity == .note }
    #expect(notes.map(\.object) == ["V3@early", "V4@early"])
  }

  @Test func `a migration names versions that there are`() {
    var files = Self.lume
    files["lume/V5.schema.json"] = nil
    #expect(
      errors(files).prefix(2) == [
        "unknown-version own/lume/V4-V5.json V5", "unknown-version own/lume/V5-V6.json V5",
      ])
  }

  @Test func `steps lead from one model to the other, and back`() throws {
    let line = "    { \"rename\": \"SDOutboxEvent.retryCount\", \"to\": \"attemptCount\" },\n"
    let files = changing("lume/V6-V7.json") { $0.replace(line, with: "") }
    #expect(errors(files) == ["does-not-lead own/lume/V6-V7.json "])
    let back = Self.own(
      attribute:
        #"{ "name": "kind", "type": "Composite", "elements": [{ "name": "kind", "type": "String" }] }"#
    )
    #expect(errors(back) == ["no-way-back own/V1-V2.json "])
    let plain = Self.own(attribute: #"{ "name": "kind", "type": "String" }"#)
    #expect(errors(plain) == [])
    #expect(lint(plain).map(\.rule) == [.oneWay])
  }

  @Test(arguments: [
    ("Horse", "Animal", "does-not-lead own/V1-V2.json "),
    ("Animal", "Horse", "no-way-back own/V1-V2.json "),
  ])
  func `an entity doesn't leave what its rows have of a super-entity, in either direction`(
    old: String, new: String, error: String
  ) {
    func schema(_ version: String, under parent: String) -> String {
      """
      { "format_version": 1, "app": "Own", "version": "\(version)", "identifiers": ["\(version)"],
        "entities": [
          { "name": "Animal" }, { "name": "Zebra", "parent": "\(parent)" },
          { "name": "Horse", "parent": "Animal",
            "attributes": [{ "name": "race", "type": "String" }] } ] }
      """
    }
    let files = [
      "V1.schema.json": schema("V1", under: old), "V2.schema.json": schema("V2", under: new),
      "V1-V2.json":
        #"{ "format_version": 1, "app": "Own", "from": "V1", "to": "V2", "steps": [] }"#,
    ]
    #expect(errors(files) == [error])
  }

  @Test func `an entity may lose its properties before it is dropped`() {
    let item =
      #"{ "name": "Item", "relationships": [{ "name": "tag", "to": "Tag", "optional": true, "inverse": "items" }] }"#
    let tag = """
      { "name": "Tag", "attributes": [{ "name": "name", "type": "String" }, { "name": "rank", "type": "Integer 64" }],
        "relationships": [{ "name": "items", "to": "Item", "optional": true, "many": true, "max": 0, "inverse": "tag" }] }
      """
    func schema(_ version: String, _ entities: String) -> String {
      #"{ "format_version": 1, "app": "Own", "version": "\#(version)", "identifiers": ["\#(version)"], "entities": [\#(entities)] }"#
    }
    let files = [
      "V1.schema.json": schema("V1", "\(item), \(tag)"),
      "V2.schema.json": schema("V2", #"{ "name": "Item" }"#),
      "V1-V2.json": """
      { "format_version": 1, "app": "Own", "from": "V1", "to": "V2", "steps": [
        { "rename": "Tag.name", "to": "title" }, { "drop": "Tag.title" }, { "drop": "Item.tag" },
        { "drop": "Tag.items" }, { "rename": "Tag", "to": "Label" }, { "drop": "Label" }] }
      """,
    ]
    #expect(errors(files) == [])
  }

  /// An app whose second version lacks an attribute of the first.
  private static func own(attribute: String) -> Files {
    func schema(_ version: String, _ attributes: String) -> String {
      """
      { "format_version": 1, "app": "Own", "version": "\(version)", "identifiers": ["\(version)"],
        "entities": [{ "name": "Item", "attributes": [\(attributes)] }] }
      """
    }
    let name = #"{ "name": "name", "type": "String", "optional": true }"#
    return [
      "V1.schema.json": schema("V1", "\(attribute), \(name)"), "V2.schema.json": schema("V2", name),
      "V1-V2.json": """
      { "format_version": 1, "app": "Own", "from": "V1", "to": "V2",
        "steps": [{ "drop": "Item.kind" }] }
      """,
    ]
  }

  @Test func `duplicate migrations are found, and models that no store distinguishes`() throws {
    var files = Self.lume
    files["lume/another.json"] = files["lume/V6-V7.json"]
    #expect(errors(files) == ["duplicate own/lume/another.json V6-V7"])
    files = Self.lume
    files["lume/V8.schema.json"] = files["lume/V7.schema.json"]?
      .replacing("\"version\": \"V7\"", with: "\"version\": \"V8\"")
    #expect(errors(files).last == "ambiguous own/lume/V8.schema.json V8")
  }

  @Test func `a model cache that doesn't match its schema is found`() throws {
    let catalog = Catalog.bundled
    let path = "lume/V7.schema.json"
    for (version, expected) in [("V7", []), ("V6", ["bad-file own/\(path) V7"])] {
      let cache = try #require(catalog.version(version, of: "Lume")).modelCache()
      var files = Self.lume
      files[path] = files[path]?.replacing(
        "\"version\": \"V7\",",
        with: "\"version\": \"V7\", \"model_cache\": \"\(base64Encoded(cache))\",")
      #expect(errors(files) == expected)
    }
  }

  @Test func `an edited, a missing and an unlisted file are noticed`() throws {
    var files = Self.lume
    files["checksums"] =
      files.sorted { $0.key < $1.key }.map { path, text in
        "\(Hexadecimal.encode(sha256(Array(text.utf8))))  \(path)\n"
      }.joined()
    #expect(errors(files) == [])
    files["lume/V5-V6.json", default: ""] += "\n"
    #expect(errors(files) == ["edited own/lume/V5-V6.json "])
    let kept = files["lume/V5-V6.json"]
    files["lume/V5-V6.json"] = nil
    #expect(errors(files).last == "missing own/lume/V5-V6.json ")
    files["lume/renamed.json"] = kept
    #expect(lint(files).last { $0.severity == .note }?.place == "own/lume/renamed.json")
    #expect(lint(files).contains { $0.rule == .unlisted && $0.severity == .note })
    files["checksums", default: ""] += "abc  lume/V1-V2.json\n"
    #expect(errors(files).contains { $0.hasPrefix("bad-checksum own/checksums:") })
  }
}

@Suite struct ChecksumFileTests {
  @Test func `both forms of sha256sum are read, and any other line is reported by its number`() {
    let digest = String(repeating: "a", count: 64)
    let file = ChecksumFile(
      parsing: Array(
        """
        \(digest)  a b.json
        \(digest.uppercased()) *c.json

        \(digest)  a b.json
        \(digest) d.json
        \(digest.dropLast())g  e.json
        \(digest)
        """.utf8))
    #expect(file.digests == ["a b.json": digest, "c.json": digest])
    #expect(file.badLines == [4, 5, 6, 7])
  }
}
