import Platform
import PropertyList
import SQLite
import StoreModel
import TestSupport
import Testing

@testable import StoreFormat

/// Models with attributes whose format is unknown, so that no fixture can have them.
@Suite struct UnsupportedModelTests {
  private static let model = Model(entities: [
    Entity(name: "Item", properties: [.attribute(Attribute(name: "total", type: .integer64))]),
    Entity(name: "Other", properties: [.attribute(Attribute(name: "name", type: .string))]),
  ])

  /// Returns the description of a store whose cache differs in `Item.total`.
  private func description(
    _ edit: (inout ArchiveEditor, Int) throws -> Void
  ) throws -> StoreDescription {
    let connection = try Connection.memory()
    try FreshStore(model: Self.model, uuid: "").write(to: connection)
    let cache = try #require(connection.value("SELECT Z_CONTENT FROM Z_MODELCACHE")?.bytes)
    var editor = ArchiveEditor(try ModelCache.archive(cache))
    try edit(&editor, try editor.number("NSPropertyName", "total"))
    let archive = deflateRaw(try editor.archive().propertyList.binary(), level: 5)
    try connection.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = ?1", [.blob(archive)])
    return try StoreDescription(reading: connection)
  }

  @Test func `a derived attribute is known, and its entity's hash isn't judged`() throws {
    let description = try description { editor, number in
      let derived = editor.addClass(
        "NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription",
        "NSObject")
      try editor.set(number, "$class", derived)
    }
    // A migration that keeps it as it is isn't refused.
    #expect(description.unsupportedFeatures == [])
    let names = description.cachedModel?.derivedAttributes.map(\.description)
    #expect(names == ["'Item.total' is a derived attribute"])
  }

  @Test func `a hash whose formula isn't known is a warning`() throws {
    let description = try description { editor, number in
      let derived = editor.addClass(
        "NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription",
        "NSObject")
      try editor.set(number, "$class", derived)
      try editor.set(number, "NSIsOptional", .boolean(true))
    }
    let check = StructureCheck(description, model: try #require(description.cachedModel))
    #expect(check.findings.map(\.message) == ["the hash of 'Item' can't be checked"])
    #expect(check.findings.map(\.severity) == [.warning])
    #expect(check.disagreements == [])
  }

  @Test func `a Codable attribute is named`() throws {
    let description = try description { editor, number in
      try editor.set(number, "NSAttributeType", .integer(2200))
    }
    #expect(
      description.unsupportedFeatures == ["'Item.total' is an attribute of type Codable (2200)"])
  }
}
