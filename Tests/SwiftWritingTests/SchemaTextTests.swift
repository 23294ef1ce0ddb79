import Migrations
import Platform
import SQLite
import StoreFormat
import StoreModel
import SwiftWriting
import TestSupport
import Testing

/// Written versions compile against a stand-in for SwiftData.
struct SchemaTextTests {
  private static func text(_ model: Model, _ name: String) -> String {
    SourceText(SchemaText(name: name, model: model), origin: "a test").text
  }

  @Test func `every bundled version compiles`() throws {
    let standIn = try #require(SwiftDataStandIn.shared)
    var texts: [String: String] = [:]
    for version in Catalog.bundled.versions {
      #expect(version.model.swiftDataLimits.isEmpty)
      let name = SchemaText.name(ofApp: version.app, version: version.name)
      texts[name] = Self.text(version.model, name)
    }
    #expect(texts.count == Catalog.bundled.versions.count && texts.count >= 18)
    let complaints = try standIn.complaints(about: texts)
    #expect(complaints == [], "\(complaints.joined(separator: "\n"))")
  }

  @Test func `every real store compiles, or what SwiftData lacks is named`() throws {
    let standIn = try #require(SwiftDataStandIn.shared)
    var texts: [String: String] = [:]
    for (index, store) in RealStore.all.enumerated() {
      let folder = try TemporaryDirectory()
      let connection = try Connection(path: try store.copy(into: folder), mode: .readWrite)
      let cache = try connection.value("SELECT Z_CONTENT FROM Z_MODELCACHE")?.bytes ?? []
      let model = try ModelCache.decode(cache)
      let limits = model.swiftDataLimits
      if model.dialect != .coreData { #expect(limits.isEmpty, "\(store)") }
      if limits.isEmpty { texts["Store\(index)"] = Self.text(model, "Store\(index)") }
    }
    // Where there are no stores, `RealStores` has said so.
    if texts.isEmpty { return }
    let complaints = try standIn.complaints(about: texts)
    #expect(complaints == [], "\(complaints.joined(separator: "\n"))")
  }

  @Test func `random models compile`() throws {
    let standIn = try #require(SwiftDataStandIn.shared)
    var random = RandomSwiftDataModel(SeededGenerator(printing: "random models compile"))
    var texts: [String: String] = [:]
    for place in 0..<rounds(20, torture: 60) {
      let model = random.model()
      #expect(model.swiftDataLimits == [])
      texts["Random\(place)"] = Self.text(model, "Random\(place)")
    }
    let complaints = try standIn.complaints(about: texts)
    #expect(complaints == [], "\(complaints.joined(separator: "\n"))")
  }

  @Test func `the stand-in finds mistakes`() throws {
    let standIn = try #require(SwiftDataStandIn.shared)
    let head = "import Foundation\nimport SwiftData\n"
    for text in [
      "@Model final class Item { var name: String }",
      "@Model final class Item { @Attribute(.unknown) var name: String?; init() {} }",
      "@Model final class Item { #Index<Item>([\\.nam]); var name: String?; init() {} }",
      "@Model final class Item { @Relationship(inverse: \\Item.a) var a: Item?; init() {} }",
      "enum V: VersionedSchema { static var models: [any PersistentModel.Type] { [] } }",
    ] {
      #expect(try standIn.complaints(about: ["Mistake": head + text]) != [], "\(text)")
    }
  }

  @Test func `a class has what the hash and the columns depend on`() {
    let text = Self.text(ReferenceModel.model, "ShopSchemaV2")
    #expect(text.contains(ReferenceModel.expectedText), "\(text)")
  }

  @Test func `everything that SwiftData lacks is named at once`() {
    let limits = ReferenceModel.inexpressible.swiftDataLimits.map(\.description)
    #expect(limits == ReferenceModel.expectedLimits)
  }

  @Test func `names of versions are Swift names`() {
    #expect(SchemaText.name(ofApp: "lume", version: "V6@plan") == "LumeSchemaV6Plan")
    #expect(SchemaText.name(ofApp: "My App", version: "1.0.0") == "MyAppSchema_100")
    #expect(SchemaText.isName("AppSchemaV7"))
    for name in ["", "7", "class", "a b", "SwiftData", "Self"] { #expect(!SchemaText.isName(name)) }
  }
}
