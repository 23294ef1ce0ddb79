import Foundation
import Migrations
import Platform
import SQLite
import StoreFormat
import StoreModel
import SwiftWriting
import TestSupport
import Testing

/// A written version, read as Swift source by `schema capture`, has the hashes of its model.
struct RoundTripTests {
  /// The tool, if it reads Swift source; `nil`, after a printed note, if it doesn't.
  private static let tool: String? = {
    guard let folder = builtPrograms,
      FileManager.default.isExecutableFile(atPath: folder + "/outbox-source")
    else {
      print("skipped: there is no 'outbox-source' beside the tests, which reads Swift source")
      return nil
    }
    return folder + "/outbox-migrate"
  }()

  private static func run(_ words: [String]) throws -> (status: Int32, text: String) {
    try runToEnd(words, in: "/", environment: ProcessInfo.processInfo.environment)
  }

  /// Returns what differs between a model and that of its Swift source; empty if nothing does.
  private func difference(_ model: Model, _ name: String) throws -> String {
    guard let tool = Self.tool else { return "" }
    let folder = try TemporaryDirectory()
    let text = SourceText(SchemaText(name: name, model: model), origin: "a test").text
    let (source, schema) = (folder.path("Version.swift"), folder.path("version.schema.json"))
    try FileSystem.replace(source, with: Array(text.utf8), mode: 0o644, suffix: ".new")
    let result = try Self.run(
      [tool, "schema", "capture", source, "--version-type", name, "--out", schema])
    guard result.status == 0 else { return "\(name): \(result.text)\n\(text)" }
    let read = try SchemaFile(parsing: try FileSystem.read(schema), file: schema).model
    guard VersionHashes(read) != VersionHashes(model) else { return "" }
    return "\(name): \(ModelDifference(from: model, to: read).changes)\n\(text)"
  }

  @Test func `bundled versions return`() throws {
    for version in Catalog.bundled.versions {
      let name = SchemaText.name(ofApp: version.app, version: version.name)
      let difference = try difference(version.model, name)
      #expect(difference.isEmpty, "\(difference)")
    }
  }

  @Test func `models of real stores return`() throws {
    for (index, store) in RealStore.all.enumerated() {
      let folder = try TemporaryDirectory()
      let connection = try Connection(path: try store.copy(into: folder), mode: .readWrite)
      let cache = try connection.value("SELECT Z_CONTENT FROM Z_MODELCACHE")?.bytes ?? []
      let model = try ModelCache.decode(cache)
      guard model.dialect != .coreData else { continue }
      let difference = try difference(model, "Store\(index)")
      #expect(difference.isEmpty, "\(store): \(difference)")
    }
  }

  @Test func `random models return`() throws {
    var random = RandomSwiftDataModel(SeededGenerator(printing: "random models return"))
    random.isReadable = true
    for place in 0..<rounds(20, torture: 60) {
      let difference = try difference(random.model(), "Random\(place)")
      #expect(difference.isEmpty, "\(difference)")
    }
  }
}
