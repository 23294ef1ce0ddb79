import Foundation
import Platform
import StoreModel
import TestSupport
import Testing

@testable import outbox_migrate

/// `schema capture` and `lint` on a folder of Swift source.
@Suite struct SwiftSourceTests {
  /// The app in a new folder; `nil`, after a printed note, if the parser wasn't built.
  private func app(_ text: String) throws -> TemporaryDirectory? {
    guard let programs = builtPrograms,
      FileManager.default.isExecutableFile(atPath: programs + "/outbox-source")
    else {
      print("skipped: there is no 'outbox-source' beside the tests; 'make' builds it")
      return nil
    }
    let folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: folder.path("Sources/Deep/AppTests"), withIntermediateDirectories: true)
    try text.write(
      toFile: folder.path("Sources/Deep/Models.swift"), atomically: true, encoding: .utf8)
    try "@Model final class Mock { var x: Elsewhere }".write(
      toFile: folder.path("Sources/Deep/AppTests/Mock.swift"), atomically: true, encoding: .utf8)
    return folder
  }

  private func run(_ words: String...) throws -> (status: Int32, text: String) {
    try runToEnd(
      [(builtPrograms ?? "") + "/outbox-migrate"] + words, in: "/",
      environment: ["LC_ALL": "C.UTF-8", "NO_COLOR": "1"])
  }

  @Test func `a schema comes from source, and is read again`() throws {
    let text = """
      enum SchemaV1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Item.self] }
        @Model final class Item {
          var id: UUID = UUID()
          var size: Decimal
        }
      }
      """
    guard let folder = try app(text) else { return }
    let (sources, file) = (folder.path("Sources"), folder.path("V1.schema.json"))
    let captured = try run("schema", "capture", sources, "--out", file)
    #expect(captured.status == 0)
    #expect(captured.text.contains("Models.swift:4:22: note: default values"))
    #expect(captured.text.contains("Models.swift:6:9: warning: no real store has confirmed"))
    let schema = try SchemaFile(parsing: FileSystem.read(file), file: nil)
    #expect(schema.version == "V1")
    #expect(schema.app == FileSystem.name(of: folder.path))
    #expect(schema.model["Item"]?.attributes.map(\.type) == [.uuid, .decimal])
    #expect(try run("lint", sources).text.contains("Lint: 0 errors, 0 notes."))
    #expect(try run("schema", "capture", sources, "--models", "Itm").status == 64)
    #expect(try run("schema", "capture", folder.path("V1"), "--models", "Item").status == 64)
  }

  @Test func `source that isn't known gives no schema`() throws {
    guard let folder = try app("@Model final class Item {\n  var place: Elsewhere\n}\n") else {
      return
    }
    let (sources, file) = (folder.path("Sources"), folder.path("V1.schema.json"))
    let captured = try run("schema", "capture", sources, "--out", file)
    #expect(captured.status == 65)
    #expect(captured.text.contains("Models.swift:2:7: error: the type 'Elsewhere' isn't declared"))
    #expect(!FileManager.default.fileExists(atPath: file))
    let linted = try run("lint", sources, "--json")
    #expect(linted.status == 1)
    #expect(linted.text.contains(#""code": "unknown-type""#))
  }
}
