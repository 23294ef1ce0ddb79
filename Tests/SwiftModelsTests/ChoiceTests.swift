import StoreModel
import SwiftModels
import TestSupport
import Testing

/// Which model of an app's source is read.
@Suite struct ChoiceTests {
  private static let versions = """
    enum V1: VersionedSchema {
      static let versionIdentifier: Schema.Version = .init(1, 0, 0)
      static var models: [any PersistentModel.Type] { [Item.self] }
      @Model final class Item { var a: Int }
    }
    enum V10 {
      static var versionIdentifier: Schema.Version { Schema.Version(1, 10, 0) }
      static var models: [any PersistentModel.Type] { return [V10.Item.self] + V9.more }
    }
    extension V10 {
      @Model final class Item { var tags: [Tag] }
    }
    extension V10: VersionedSchema {}
    enum V9: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 9, 0)
      static let models: [any PersistentModel.Type] = [Item.self] + V9.more
      static let more: [any PersistentModel.Type] = [Other.self]
      @Model final class Item { var b: Int }
      @Model final class Other { var c: Int }
    }
    typealias Item = V10.Item
    """

  private static let rest = "@Model final class Tag { var name: String }"

  @Test func `the newest version is read, with all that it leads to`() throws {
    guard let source = try parsed(Self.versions, Self.rest) else { return }
    #expect(source.versions.map(\.name) == ["V1", "V9", "V10"])
    let (version, model) = try source.model(.newest)
    #expect(version?.name == "V10")
    #expect(model.isKnown)
    #expect(model.model.entities.map(\.name) == ["Item", "Other", "Tag"])
    #expect(model.model.versionIdentifiers == ["1.10.0"])
    #expect(
      model.lines(.note) == [
        "1.swift:11:22: 'Tag' isn't listed; it is part of the model because 'Item' leads to it"
      ])
  }

  @Test func `a version or classes are read by name`() throws {
    guard let source = try parsed(Self.versions, Self.rest) else { return }
    #expect(try source.model(.version("V9")).model.model.entities.count == 2)
    let chosen = try source.model(.classes(["Item", "V9.Other"])).model.model
    #expect(chosen.entities.map(\.name) == ["Item", "Other", "Tag"])
    #expect(throws: SourceError.unknownName("V99", nearest: "V9")) {
      try source.model(.version("V99"))
    }
    #expect(throws: SourceError.unknownName("Tagg", nearest: "Tag")) {
      try source.model(.classes(["Tagg"]))
    }
  }

  @Test func `unrelated schemas are listed`() throws {
    let other = """
      enum Widget: VersionedSchema {
        static let versionIdentifier = Schema.Version(5, 0, 0)
        static let models: [any PersistentModel.Type] = [Gadget.self]
        @Model final class Gadget { var name: String }
      }
      """
    guard let source = try parsed(Self.versions, Self.rest, other) else { return }
    #expect(throws: SourceError.several(["V10", "Widget"])) { try source.model(.newest) }
    guard let nothing = try parsed("struct A {}") else { return }
    #expect(throws: SourceError.noModel) { try nothing.model(.newest) }
  }

  @Test func `a name that is declared twice is told with its places`() throws {
    let class1 = "@Model final class A { var b: Kind }"
    let enum1 = "enum Kind: String, Codable { case one }"
    guard let source = try parsed(class1, enum1, enum1) else { return }
    let model = try source.model(.newest).model
    let line = try #require(model.lines(.error).first)
    #expect(line.contains("'Kind' is declared several times"))
    // A private type is seen in its own file only.
    guard let hidden = try parsed(class1, enum1, "private " + enum1) else { return }
    #expect(try hidden.model(.newest).model.isKnown)
  }

  @Test func `a protocol that refines VersionedSchema isn't a version`() throws {
    let text = """
      protocol AppVersion: VersionedSchema {}
      enum One: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Item.self] }
        @Model final class Item { var a: Int }
      }
      struct Two: AppVersion {
        static let versionIdentifier = Schema.Version(2, 0, 0)
        static var models: [any PersistentModel.Type] { [Item.self] }
        @Model final class Item { var b: Int }
      }
      """
    guard let source = try parsed(text) else { return }
    #expect(source.versions.map(\.name) == ["One", "Two"])
    #expect(try source.model(.newest).version?.name == "Two")
  }

  @Test func `lists of models that aren't known are errors where no version can be chosen`() throws
  {
    let text = """
      enum One: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Item.self] }
        @Model final class Item { var a: Int }
      }
      enum Two: VersionedSchema {
        static let versionIdentifier = Schema.Version(2, 0, 0)
        static var models: [any PersistentModel.Type] { all.filter { _ in true } }
      }
      """
    guard let source = try parsed(text) else { return }
    #expect(throws: SourceError.several(["One", "Two"])) { try source.model(.newest) }
    #expect(
      source.errorsOfVersions.map(\.message) == ["the 'models' of 'Two' aren't a list of classes"])
  }
}
