import Foundation
import StoreModel
import SwiftModels
import TestSupport
import Testing

/// What SwiftData makes of declarations, one rule after another.
@Suite struct RuleTests {
  /// The model of all classes; `nil` if there is no parser.
  private func read(_ text: String) throws -> SourceModel? {
    try parsed(text)?.model(.newest).model
  }

  private func attribute(_ name: String, in model: SourceModel) throws -> Attribute {
    let parts = name.split(separator: ".").map(String.init)
    guard case .attribute(let attribute) = model.model[parts[0]]?[parts[1]] else {
      throw Missing(name: name)
    }
    return attribute
  }

  private func link(_ name: String, in model: SourceModel) throws -> Relationship {
    let parts = name.split(separator: ".").map(String.init)
    guard case .relationship(let link) = model.model[parts[0]]?[parts[1]] else {
      throw Missing(name: name)
    }
    return link
  }

  private struct Missing: Error { let name: String }

  @Test func `only stored properties count, and each has its type`() throws {
    let text = """
      @Model public final class A {
        static let shared = 1
        @Transient var cache: NSCache<NSString, NSString>? = nil
        var double: Double { 1 }
        var watched: Int = 3 { didSet { print(watched) } }
        lazy var slow = 5
        let id = UUID()
        var a, b: Int16
        var text = ""
        var flag = false
        var number = -2.5
        var when = Date.now
        var maybe: Optional<Foundation.Data>
        var forced: Swift.String!
        var list = [String]()
      var key = UUID().uuidString
        var interval: TimeInterval?
        @Attribute(.ephemeral) var draft: Bool = true
      }
      """
    guard let model = try read(text) else { return }
    #expect(model.lines(.error) == [])
    let attributes = try #require(model.model["A"]).attributes
    #expect(
      attributes.map { "\($0.name) \($0.type.name)\($0.isOptional ? "?" : "")" } == [
        "a Integer 16", "b Integer 16", "draft Boolean", "flag Boolean", "forced String?",
        "id UUID", "interval Double?", "key String", "list Transformable", "maybe Binary?",
        "number Double",
        "text String", "watched Integer 64", "when Date",
      ])
    #expect(try attribute("A.draft", in: model).isTransient)
    #expect(try attribute("A.number", in: model).defaultValue == .real(-2.5))
    #expect(model.computedDefaults == ["A.id", "A.key", "A.list", "A.when"])
  }

  @Test func `options of attributes come along`() throws {
    let text = """
      @Model final class A {
        #Unique<A>([\\.first, \\.last])
        #Index<A>([\\.last], [\\.first, \\A.last])
        @Attribute(.unique, originalName: "name", hashModifier: "2") var first: String
        @Attribute(.preserveValueOnDeletion, .spotlight, .allowsCloudEncryption) var last: String
        @Attribute(.externalStorage) var image: Data?
        @Attribute(.transformable(by: ColorTransformer.self)) var color: UIColor?
      }
      """
    guard let model = try read(text) else { return }
    #expect(model.lines(.error) == [])
    let entity = try #require(model.model["A"])
    let first = try attribute("A.first", in: model)
    #expect(first.renamingIdentifier == "name" && first.versionHashModifier == "2")
    #expect(try attribute("A.last", in: model).isPreservedAfterDeletion)
    #expect(try attribute("A.image", in: model).allowsExternalStorage)
    let color = try attribute("A.color", in: model)
    #expect(color.type == .transformable && color.valueTransformerName == "ColorTransformer")
    #expect(entity.uniquenessConstraints == [["first"], ["first", "last"]])
    #expect(
      entity.indexes.map(\.name) == [
        "SwiftDataIndexOnBinarylast", "SwiftDataIndexOnBinaryfirstlast",
      ])
    #expect(entity.compoundIndexes == [["first", "last"]])
  }

  @Test func `enums and structs are composites`() throws {
    let text = """
      enum Plain: Codable { case one, two(Int), three }
      extension Level: Codable {}
      typealias Depth = Level
      struct Place: Codable {
        static let home = 1
        var street: String
        let number: Int?
        var tags: [String] = []
        var inner: Inner
        var text: String { street }
        struct Inner: Codable { var x = 0 }
      }
      @Model final class A {
        enum Kind: Int, Codable { case a = 3, b }
        var plain: Plain?
        var level: Depth? = Level.low
        var kind = Kind.b
        var place: Place
        var color: Color.Resolved
      }
      """
    guard
      let model = try parsed(text, "enum Level: String { case low = \"l\", high }")?
        .model(.newest).model
    else { return }
    #expect(model.lines(.error) == [])
    func leaves(_ name: String) throws -> [String] {
      try attribute(name, in: model).elements.map {
        "\($0.name) \($0.type.name)\($0.isOptional ? "?" : "")"
      }
    }
    #expect(try leaves("A.plain") == ["one String?", "two Integer 64?", "three String?"])
    #expect(try leaves("A.level") == ["level String?"])
    #expect(
      try attribute("A.level", in: model).defaultValue == .dictionary(["level": .string("l")]))
    #expect(try attribute("A.kind", in: model).defaultValue == .dictionary(["kind": .integer(4)]))
    #expect(
      try leaves("A.place") == [
        "street String?", "number Integer 64?", "tags Binary?", "inner Binary?",
      ])
    #expect(
      try leaves("A.color") == [
        "linearRed Float", "linearGreen Float", "linearBlue Float", "opacity Float",
      ])
    #expect(
      model.lines(.unproven) == [
        "1.swift:15:7: no real store has confirmed how SwiftData stores the associated values of 'Plain'"
      ])
  }

  @Test func `an inverse is inferred only between plain properties`() throws {
    let text = """
      @Model final class A {
        var plain: B?
        @Relationship(deleteRule: .cascade) var owned: [C]
        @Relationship(deleteRule: .deny, inverse: \\D.backs) var many: [D]?
        var first: E?
        var second: E?
      }
      @Model final class B { var back: [A] = [] }
      @Model final class C { var owner: A? }
      @Model final class D { var backs: [A] }
      @Model final class E { var one: A? }
      """
    guard let model = try read(text) else { return }
    #expect(model.lines(.error) == [])
    #expect(try link("A.plain", in: model).inverseName == "back")
    #expect(try link("B.back", in: model).inverseName == "plain")
    #expect(try link("A.owned", in: model).inverseName == nil)
    #expect(try link("C.owner", in: model).inverseName == nil)
    #expect(try link("D.backs", in: model).inverseName == "many")
    #expect(try link("A.many", in: model).deleteRule == .deny)
    #expect(try link("E.one", in: model).inverseName == nil)
    #expect(try link("D.backs", in: model).isOptional == false)
  }

  @Test func `what can't be known has its place, and gives no model`() throws {
    let text = """
      @Model final class A<T> {
        var missing: Elsewhere
        var table: [String: Int]
        @Wrapped var wrapped: Int
        #Other
        @Attribute(.fancy) var fancy: Int
        @Attribute(hashModifier: suffix) var modified: Int
        var guessed = make()
        var url = URL(string: "x")
        var item: Plain
        var failing = Failing()
      }
      class Plain {}
      struct Failing: Codable { init?() { nil } }
      """
    guard let model = try read(text) else { return }
    #expect(!model.isKnown)
    #expect(
      model.lines(.error) == [
        "1.swift:1:20: how SwiftData stores the generic class 'A' isn't known",
        "1.swift:2:7: the type 'Elsewhere' isn't declared in these sources, and how SwiftData "
          + "stores it isn't known",
        "1.swift:3:7: how SwiftData stores the type 'Dictionary<String, Int>' isn't known",
        "1.swift:4:3: what the macro or property wrapper '@Wrapped' makes of 'wrapped' isn't known",
        "1.swift:5:3: what the macro '#Other' makes of 'A' isn't known",
        "1.swift:6:26: the option '.fancy' of 'fancy' isn't known",
        "1.swift:7:40: the 'hashModifier' of 'modified' isn't a literal, so it isn't known",
        "1.swift:8:7: the type of 'guessed' can't be told from its initial value; write it down",
        "1.swift:9:7: the type of 'url' can't be told from its initial value; write it down",
        "1.swift:10:7: how SwiftData stores the class 'Plain' isn't known",
        "1.swift:11:7: the type of 'failing' can't be told from its initial value; write it down",
      ])
  }

  @Test func `a syntax error gives no model`() throws {
    guard let model = try read("@Model final class A {\n  var x: Int =\n  var y Int\n}\n") else {
      return
    }
    #expect(!model.isKnown)
    #expect(model.lines(.error).first?.hasPrefix("1.swift:2:15: syntax error") == true)
  }

  @Test func `conditional compilation is told`() throws {
    let text = """
      @Model final class A {
        #if os(macOS)
          var mac: Int
        #elseif DEBUG || !canImport(UIKit)
          var debug: Int
        #else
          var phone: Int
        #endif
        #if DEBUG
          var dump: String { "" }
        #endif
      }
      """
    guard let model = try read(text) else { return }
    #expect(model.model["A"]?.attributes.map(\.name) == ["phone"])
    #expect(
      model.lines(.note) == [
        "1.swift:2:3: '#if os(macOS)' decides about the model: the declarations after '#else' are "
          + "read, as for an iOS app built for release"
      ])
  }

  @Test func `a condition that isn't known is a warning, also where an alias depends on it`() throws
  {
    let text = """
      #if canImport(UIKit)
      typealias Picture = Int
      #else
      typealias Picture = String
      #endif
      #if BETA
      @Model final class Trial { var n: Int }
      #elseif !os(Linux)
      enum Kind: Int, Codable { case one }
      #endif
      @Model final class A {
        var picture: [Picture]?
        var kind: Kind?
        #if swift(>=6)
        var six: Int
        #endif
      }
      """
    guard let model = try read(text) else { return }
    #expect(model.lines(.error) == [])
    #expect(model.lines(.note).count == 1)
    #expect(model.lines(.note).first?.hasPrefix("1.swift:1:1: '#if canImport(UIKit)'") == true)
    let warnings = model.lines(.unproven)
    #expect(
      warnings.contains { $0.hasPrefix("1.swift:7:20: '#if BETA' leaves out the class 'Trial'") })
    #expect(warnings.contains { $0.hasPrefix("1.swift:6:1: '#if BETA' decides") })
    #expect(warnings.contains { $0.hasPrefix("1.swift:14:3: '#if swift(>=6)' decides") })
    #expect(warnings.filter { $0.contains("isn't known") }.count == 3)
  }

  @Test func `initial values and macros that real apps have are read`() throws {
    let text = """
      @Model @Observable final class A {
        var id = UUID.init()
        var isOn = !false
        var names: Swift.Array<Swift.String>
        @Attribute(.transformable(by: Names.color.rawValue)) var color: NSColor?
      }
      """
    guard let model = try read(text) else { return }
    #expect(model.lines(.error) == [])
    let types = try #require(model.model["A"]).attributes.map { "\($0.name) \($0.type.name)" }
    #expect(types == ["color Transformable", "id UUID", "isOn Boolean", "names Transformable"])
    #expect(try attribute("A.names", in: model).valueClassName == "Array<String>")
    #expect(try attribute("A.color", in: model).valueTransformerName == nil)
    #expect(
      model.lines(.unproven) == [
        "1.swift:5:60: no real store has confirmed the transformer of 'color'"
      ])
  }

  @Test func `an inverse in a class that isn't declared is named`() throws {
    let text = """
      @Model final class A { @Relationship(inverse: \\Missing.x) var b: B? }
      @Model final class B { var n: Int }
      """
    guard let model = try read(text) else { return }
    #expect(
      model.lines(.error).contains(
        "1.swift:1:63: the inverse of 'b' is in 'Missing', which isn't declared in these sources"))
  }

  @Test func `bytes that aren't UTF-8 and files that are too large are errors`() throws {
    let folder = try TemporaryDirectory()
    let start = Array("@Model final class A {\n  var é = \"".utf8)
    try Data(start + [0xFF, 0xFE]).write(to: URL(filePath: folder.path("a.swift")))
    try Data(repeating: 0x20, count: (4 << 20) + 1).write(to: URL(filePath: folder.path("b.swift")))
    let paths = ["a.swift", "b.swift"].map(folder.path)
    guard let source = try parsed(paths: paths) else { return }
    #expect(
      source.findings.map { "\($0)".replacing(folder.path + "/", with: "") } == [
        "a.swift:2:13: syntax error: the bytes aren't UTF-8; save the text as UTF-8",
        "b.swift:1:1: syntax error: the file is larger than 4 MiB; give a folder without it",
      ])
  }

  @Test func `a subclass is a subentity`() throws {
    let text = """
      @Model class Base: Identifiable { var name: String }
      @Model final class Sub: Base { var size: Int }
      """
    guard let model = try read(text) else { return }
    #expect(model.model["Sub"]?.superentityName == "Base")
    #expect(model.model.properties(of: "Sub").map(\.name) == ["name", "size"])
    #expect(model.lines(.unproven).count == 1)
  }
}
