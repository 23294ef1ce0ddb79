import Foundation
import SourceDeclarations
import StoreModel
import SwiftModels
import TestSupport
import Testing

/// Declarations that Swift allows and that are easily read wrongly.
@Suite struct StrangeSourceTests {
  private func read(_ text: String) throws -> SourceModel? {
    try parsed(text)?.model(.newest).model
  }

  /// The attributes of an entity, each with its type, `?` if it is optional, and its default.
  private func attributes(_ entity: String, of model: SourceModel) throws -> [String] {
    try #require(model.model[entity]).attributes.map { attribute in
      let value = attribute.defaultValue.map { " = \($0)" } ?? ""
      return "\(attribute.name) \(attribute.type.name)\(attribute.isOptional ? "?" : "")\(value)"
    }
  }

  @Test func `each property of a declaration has its own type`() throws {
    let text = """
      @Model class A {
        var a = 1, b: String, c: Int?, d = "x"
        var e, f: Double
        var `class`, naïve: Bool
      }
      """
    guard let model = try read(text) else { return }
    #expect(model.lines(.error) == [])
    #expect(
      try attributes("A", of: model) == [
        "a Integer 64 = \(ModelValue.integer(1))", "b String", "c Integer 64?", "class Boolean",
        "d String = \(ModelValue.string("x"))", "e Double", "f Double", "naïve Boolean",
      ])
  }

  @Test func `types of superclasses and protocols come before those around a class`() throws {
    let text = """
      enum Kind: String, Codable { case a }
      typealias Key = String
      protocol Keyed { typealias Key = Int }
      protocol Listed: Keyed {}
      @Model class Base { enum Kind: Int, Codable { case a, b } }
      typealias Stem = Base
      extension Stem { enum Level: Int, Codable { case low } }
      enum Level: String, Codable { case low }
      @Model class Sub: Base, Listed {
        var kind: Kind = Kind.b
        var key: Key
        var level: Level
      }
      """
    guard let model = try read(text) else { return }
    #expect(model.lines(.error) == [])
    let sub = try #require(model.model["Sub"]).attributes
    #expect(sub.map { $0.elements.first?.type ?? $0.type } == [.integer64, .integer64, .integer64])
    #expect(sub[1].defaultValue == .dictionary(["kind": .integer(1)]))
  }

  @Test func `generic aliases are followed`() throws {
    let text = """
      typealias Maybe<T> = T?
      typealias List<T> = [T]
      typealias Raw<T> = T.RawValue
      typealias Fixed<T> = Int
      typealias Text = String
      typealias Wrapped<T> = Generic<T>
      struct Generic<T>: Codable {}
      enum Kind: String, Codable { case a }
      @Model class A {
        var a: Maybe<Int>
        var b: Maybe<List<Text>>
        var c: Raw<Kind>
        var d: Fixed<Kind>
        var items: List<B>
        @Attribute(.transformable(by: "T")) var picture: Maybe<Text>
      }
      @Model class B { var n: Int }
      @Model class C {
        enum Kind: Int, Codable { case a }
        var inner: List<Kind>
        var many: Maybe<Int, Int>
        var wrapped: Wrapped<Int>
      }
      """
    guard let model = try read(text) else { return }
    #expect(
      try attributes("A", of: model) == [
        "a Integer 64?", "b Transformable?", "c String", "d Integer 64", "picture Transformable?",
      ])
    let entity = try #require(model.model["A"])
    #expect(
      entity.attributes.map(\.valueClassName) == [
        "NSNumber", "Array<String>", "NSString", "NSNumber", "String",
      ])
    #expect(entity.relationships.first?.isToMany == true)
    #expect(
      model.lines(.error) == [
        "1.swift:20:7: how SwiftData stores the generic type 'List<Kind>', declared at "
          + "\(place(in: model, of: "C")):2:11, isn't known",
        "1.swift:21:7: how SwiftData stores the generic type 'Maybe<Int, Int>', declared at "
          + "\(place(in: model, of: "C")):1:11, isn't known",
        "1.swift:22:7: how SwiftData stores the generic type 'Generic<Int>', declared at "
          + "\(place(in: model, of: "C")):7:8, isn't known",
      ])
  }

  private func place(in model: SourceModel, of entity: String) -> String {
    model.places[entity]?.file ?? ""
  }

  @Test func `initial values are read, or named`() throws {
    let text = #"""
      enum Kind: String, Codable { case a, none }
      enum Other { static let a = Kind.none }
      @Model class A {
        var a: Int? = Int?.none
        var b = Optional<String>.none
        var c: Kind? = .none
        var d: Kind = .none
        var e: Kind = Other.a
        var f: String = .init()
        var g: Bool = Bool()
        var h = -5
        var i = +2.5
        var j: Int = 7 as Int
        var k: String = "\(1)"
        var l: Int16 = 40_000
        var m: Float = 1e60
        var n: Double = 1e999
        var o: UUID = .init()
        var p: Int? = .some(1)
      }
      """#
    guard let model = try read(text) else { return }
    #expect(model.lines(.error) == [])
    #expect(
      try attributes("A", of: model) == [
        "a Integer 64?", "b String?", "c Composite?",
        "d Composite = \(ModelValue.dictionary(["d": .string("none")]))", "e Composite",
        "f String = \(ModelValue.string(""))", "g Boolean = \(ModelValue.boolean(false))",
        "h Integer 64 = \(ModelValue.integer(-5))", "i Double = \(ModelValue.real(2.5))",
        "j Integer 64 = \(ModelValue.integer(7))", "k String", "l Integer 16", "m Float",
        "n Double", "o UUID", "p Integer 64?",
      ])
    let names = ["e", "k", "l", "m", "n", "o", "p"].map { "A.\($0)" }
    #expect(model.computedDefaults == Set(names))
    let failing = try read(
      "enum K: Int, Codable { case a }\n@Model class A { var k = K(rawValue: 1) }")
    #expect(
      failing?.lines(.error) ?? [] == [
        "1.swift:2:22: the type of 'k' can't be told from its initial value; write it down"
      ])
  }

  @Test func `dictionaries and other types without a form are named`() throws {
    let text = """
      @Model class A {
        var a: [String: Int] = [:]
        var b = [:] as [String: Int]
        var c: [B?]
        var d: (Int, String)
        var (e, f) = (1, 2)
        var g: ID
        var h: Int??
      }
      struct ID: Codable { var n: Int }
      @Model class B { var n: Int }
      """
    guard let model = try read(text) else { return }
    #expect(
      model.lines(.error).map { String($0.prefix(14)) } == [
        "1.swift:2:7: h", "1.swift:3:7: h", "1.swift:4:7: h", "1.swift:5:7: t", "1.swift:6:7: t",
        "1.swift:7:7: t",
      ])
    #expect(model.lines(.unproven).map { String($0.prefix(12)) } == ["1.swift:8:7:"])
  }

  @Test func `a class of another version with the same name is told`() throws {
    let text = """
      enum V1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [A.self, B.self] }
        @Model class A { var b: B? }
        @Model class B { var n: Int }
      }
      enum V2: VersionedSchema {
        static let versionIdentifier = Schema.Version(2, 0, 0)
        static var models: [any PersistentModel.Type] { [A.self, B.self] }
        @Model class A { var b: V1.B? }
        @Model class B { var n: Int; @Relationship(inverse: \\A.b) var c: C? }
        @Model class C { var b: B? }
      }
      """
    guard let model = try read(text) else { return }
    #expect(
      model.lines(.error) == [
        "1.swift:11:65: the inverse of 'c' is in 'A', but it leads to 'V2.C'"
      ])
    #expect(
      model.lines(.note).contains(
        "1.swift:10:16: 'V2.A' leads to 'V1.B'; the model has 'V2.B' in its place"))
  }

  @Test func `a schema's version without a VersionedSchema is its identifier`() throws {
    let text = """
      @Model class A { var n: Int }
      let schema = Schema([A.self], version: Schema.Version(2, 1, 0))
      """
    #expect(try read(text)?.model.versionIdentifiers ?? ["2.1.0"] == ["2.1.0"])
  }

  @Test func `too many superclasses, and an R-tree, are told`() throws {
    let chain = (0..<100).map { "class C\($0): C\($0 + 1) {}\n" }.joined()
    let text = """
      @Model class M: C0 { var n: Int }
      @Model class R {
        #Index<R>(.rtree([\\.x, \\.y]))
        var x: Double
        var y: Double
      }
      class C100 {}
      """
    guard let model = try read(text + "\n" + chain) else { return }
    #expect(
      model.lines(.error) == [
        "1.swift:1:14: the superclasses of 'M' are more than 63"
      ])
    #expect(
      model.lines(.unproven).contains(
        "1.swift:3:3: no real store has confirmed how SwiftData stores an R-tree, and no migration "
          + "leads to a model with one"))
    #expect(model.model.spatialIndexes == ["R.SwiftDataIndexOnRTreexy"])
  }

  @Test(arguments: [
    ("@Model class A {\n  var a\0: Int }", "2:8: syntax error: there is a NUL byte; remove it"),
    (
      "var a: " + String(repeating: "[", count: 20) + "Int", "1:24: syntax error: nested too deeply"
    ),
    (
      "var a: " + String(repeating: "G<", count: 9_000) + "Int"
        + String(repeating: ">", count: 9_000), "1:23011: syntax error: nested too deeply"
    ),
    // Each of the 32 outer types takes 9 columns.
    (
      String(repeating: "enum A { ", count: 33) + "@Model class B { var a: Int }"
        + String(repeating: " }", count: 33), "1:296: syntax error: nested too deeply"
    ),
  ])
  func `what the parser can't read in time has its place`(text: String, line: String) throws {
    guard let source = try parsed(text) else { return }
    let finding = try #require(source.findings.first)
    let position = finding.place.position
    #expect("\(position.line):\(position.column): \(finding.message)" == line)
  }

  @Test func `a file that takes too long is named`() throws {
    guard let parserProgram else { return }
    let folder = try TemporaryDirectory()
    let list = "let a = [" + String(repeating: "1,", count: 2_000_000) + "]"
    try list.write(toFile: folder.path("slow.swift"), atomically: true, encoding: .utf8)
    try "@Model class A { var n: Int }".write(
      toFile: folder.path("a.swift"), atomically: true, encoding: .utf8)
    let run = try runToEnd(
      [parserProgram, "a.swift", "slow.swift"], in: folder.path,
      environment: ["OUTBOX_SOURCE_SECONDS": "2"])
    #expect(run.status == 0)
    #expect(run.text.contains("takes longer than 2 seconds to parse; give a folder without it"))
    #expect(run.text.contains("slow.swift"))
  }
}
