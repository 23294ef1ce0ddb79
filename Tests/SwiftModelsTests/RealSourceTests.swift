import StoreModel
import SwiftModels
import TestSupport
import Testing

/// Declarations of real apps that once gave a wrong model without a word.
@Suite struct RealSourceTests {
  /// The model that is meant; `nil` if there is no parser.
  private func read(_ texts: String) throws -> SourceModel? {
    try parsed(texts)?.model(.newest).model
  }

  @Test(arguments: ["UInt8", "Int8", "UInt", "Character", "CGFloat", "Tiny", "Elsewhere"])
  func `an enum with another raw type is an error`(raw: String) throws {
    let text = """
      typealias Tiny = Int8
      enum Q: \(raw), Codable { case a, b }
      @Model final class A { var q: Q }
      """
    guard let model = try read(text) else { return }
    let line = try #require(model.lines(.error).first)
    #expect(line.hasPrefix("1.swift:3:28: the raw type of 'Q' isn't known"))
  }

  @Test func `protocols aren't raw types, and aliases of raw types are`() throws {
    let text = """
      protocol Own: Codable {}
      typealias Both = Codable & Sendable
      typealias Text = String
      enum One: Own { case a, b }
      enum Two: Both { case a }
      enum Three: CaseIterable, Codable { case a, b, c }
      enum Four: Text, Codable { case a }
      @Model final class A { var one: One; var two: Two; var three: Three; var four: Four }
      """
    guard let model = try read(text) else { return }
    #expect(model.lines(.error) == [])
    #expect(
      model.model["A"]?.attributes.map(\.elements.count) == [1, 2, 3, 1])
  }

  private static let versions = """
    enum A: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [X.self] }
      @Model class X { var a: Int }
    }
    enum B: VersionedSchema {
      static var versionIdentifier: Schema.Version { AppVersion.current }
      static var models: [any PersistentModel.Type] { [X.self] }
      @Model class X { var b: Int }
    }

    """

  @Test func `a version without a literal identifier isn't skipped`() throws {
    guard let source = try parsed(Self.versions) else { return }
    #expect {
      try source.model(.newest)
    } throws: {
      "\($0)".contains("'B' at ") && "\($0)".contains("1.swift:6:6; give '--version-type'")
    }
    let chosen = try source.model(.version("B")).model
    #expect(chosen.model.versionIdentifiers == [])
    #expect(chosen.lines(.note).count == 1)
    let plan = """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [A.self, B.self] }
        static var stages: [MigrationStage] { [] }
      }
      """
    #expect(try parsed(Self.versions + plan)?.model(.newest).version?.name == "B")
  }

  @Test func `attributes in conditions are read`() throws {
    let text = """
      #if canImport(SwiftData)
      @Model
      #endif
      final class A {
        #if canImport(SwiftData)
        @Attribute(.unique)
        #endif
        var id: Int
        #if os(macOS)
        @Transient
        #else
        @Attribute(.externalStorage)
        #endif
        var data: Data
      }
      """
    guard let model = try read(text) else { return }
    #expect(model.model["A"]?.uniquenessConstraints == [["id"]])
    #expect(model.model["A"]?.attributes.map(\.allowsExternalStorage) == [true, false])
    #expect(
      model.lines(.note) == [
        "1.swift:9:3: '#if os(macOS)' decides about the model: the attributes after '#else' are "
          + "read, as for an iOS app built for release"
      ])
  }

  @Test func `classes that conditions leave out are named`() throws {
    let text = """
      @Model class A { var n: Int }
      #if os(macOS)
      @Model class M { var n: Int }
      #elseif BETA
      extension A { @Model class Beta { var n: Int } }
      #endif
      """
    guard let model = try read(text) else { return }
    #expect(
      model.lines(.note) == [
        "1.swift:3:14: '#if os(macOS)' leaves out the class 'M', as for an iOS app built for release",
        "1.swift:5:28: '#if os(macOS)' leaves out the class 'Beta', as for an iOS app built for "
          + "release",
      ])
  }

  @Test func `a class that conforms to PersistentModel by hand is an error`() throws {
    let text = """
      protocol Stored: PersistentModel {}
      final class Rec: Stored { var a: Int { 1 } }
      @Model final class O { var n: Int }
      """
    guard let model = try read(text) else { return }
    #expect(
      model.lines(.error) == [
        "1.swift:2:13: 'Rec' conforms to 'PersistentModel' without '@Model', so its schema isn't "
          + "known"
      ])
  }

  @Test func `options in the wrong macro aren't lost`() throws {
    let text = """
      @Model final class A {
        @Relationship(.unique) var id: UUID
        @Attribute(.unique) var one: B?
        @Relationship(.unique) var many: [B]
        @Relationship(.unique) var only: B?
      }
      @Model final class B { var n: Int }
      """
    guard let model = try read(text) else { return }
    #expect(
      model.lines(.error) == [
        "1.swift:2:30: what the options of '@Relationship' mean for 'id', which is an attribute, "
          + "isn't known",
        "1.swift:3:27: what the options of '@Attribute' mean for 'one', which is a relationship, "
          + "isn't known",
        "1.swift:4:30: how SwiftData stores the unique to-many relationship 'many' isn't known",
      ])
    #expect(model.lines(.unproven).count == 1)
    #expect(model.model["A"]?.uniquenessConstraints == [["only"]])
  }

  @Test func `models that contradict themselves are errors`() throws {
    let text = """
      @Model class A {
        @Relationship(inverse: \\B.a) var b1: [B]
        @Relationship(inverse: \\B.a) var b2: [B]
        #Unique<A>([\\.nope], [])
        #Index<A>([\\.b1])
      }
      @Model class B { var a: A? }
      @Model class P: Q { var a: Int }
      @Model class Q: P { var b: Int }
      @Model class Own: Own { var c: Int }
      """
    guard let model = try read(text) else { return }
    #expect(
      model.lines(.error) == [
        "1.swift:3:36: 'B.a' has two inverses, 'A.b1' and 'A.b2'",
        "1.swift:4:3: 'nope' in '#Unique' isn't an attribute or to-one relationship of 'A'",
        "1.swift:4:3: a list in '#Unique' is empty",
        "1.swift:5:3: 'b1' in '#Index' isn't an attribute or to-one relationship of 'A'",
        "1.swift:8:14: the superclasses of 'P' form a cycle",
        "1.swift:9:14: the superclasses of 'Q' form a cycle",
        "1.swift:10:14: the superclasses of 'Own' form a cycle",
      ])
  }

  @Test func `structs with a coding of their own aren't guessed`() throws {
    let text = """
      struct Constant: Codable { let c = 5; var b: Decimal; var d: Int16 }
      struct Partial: Codable { var a: Int; var t: Int = 0; enum CodingKeys: CodingKey { case a } }
      struct Full: Codable { var a: Int; enum CodingKeys: String, CodingKey { case a } }
      struct Custom: Codable { var a: Int; func encode(to encoder: any Encoder) {} }
      struct Wrapped: Codable { @Clamped var a: Int }
      struct Lazy: Codable { lazy var a = 3 }
      @Model final class A {
        var constant: Constant
        var partial: Partial
        var full: Full
        var custom: Custom
        var wrapped: Wrapped
        var slow: Lazy
      }
      """
    guard let model = try read(text) else { return }
    #expect(
      model.lines(.unproven).map { $0.split(separator: " stores ").last } == [
        "'Constant.b'", "'Constant.c'", "'Constant.d'", "'Partial', which has its own coding",
        "'Custom', which has its own coding",
      ])
    #expect(model.lines(.error).map { $0.prefix(13) } == ["1.swift:12:7:", "1.swift:13:7:"])
  }

  @Test func `unknown superclasses are told`() throws {
    let text = """
      @Model class Movie: MediaContent { var a: Int }
      class Plain {}
      @Model class Sub: Plain { var a: Int }
      @Model class Known: Identifiable, Codable { var a: Int }
      """
    guard let model = try read(text) else { return }
    #expect(
      model.lines(.unproven) == [
        "1.swift:1:14: 'MediaContent' isn't declared in these sources; if it is a class, the "
          + "entity lacks what 'Movie' inherits",
        "1.swift:3:14: no real store has confirmed how SwiftData stores a subclass of 'Plain', "
          + "which isn't a class with '@Model'",
      ])
  }

  @Test func `a container's only list of classes counts`() throws {
    let classes = "@Model class Y { var b: Int }\n@Model class Z { var b: Int }\n"
    let preview = "let p = view.modelContainer(for: Z.self, inMemory: true)\n"
    let list = "let c = try! ModelContainer(for: Y.self)\n"
    guard let one = try read(classes + preview + list) else { return }
    #expect(one.model.entities.map(\.name) == ["Y"])
    #expect(
      one.lines(.note) == [
        "1.swift:4:14: without a 'VersionedSchema', the model has the classes that "
          + "'ModelContainer' lists"
      ])
    let two = try read(classes + list + "let s = Schema([Y.self, Z.self])\n")
    #expect(two?.model.entities.map(\.name) == ["Y", "Z"])
    #expect(two?.lines(.note).count == 1)
  }

  @Test func `types of constants and raw values are known`() throws {
    let text = """
      enum Group: Int, Codable { case one, other }
      @Model final class A {
        var a = Group.other.rawValue
        var b: Group.RawValue
        var c = Double.zero
        var d = 60 * 60
        var e = 60 * 0.5
        var f = "a" + "b"
        var g = Int32(5)
        var h = Int.max
      }
      """
    guard let model = try read(text) else { return }
    #expect(model.lines(.error) == [])
    #expect(
      model.model["A"]?.attributes.map(\.type) == [
        .integer64, .integer64, .double, .integer64, .double, .string, .integer32, .integer64,
      ])
  }

  @Test(arguments: ["#if A\n", "Optional<", "Int"])
  func `deep nesting doesn't end the parser`(open: String) throws {
    let count = 5_000
    func times(_ text: String) -> String { String(repeating: text, count: count) }
    let text =
      switch open {
      case "Optional<": "@Model class A { var a: \(times("Optional<"))Int\(times(">")) }"
      case "Int": "@Model class A { var a: Int\(times("?")) }"
      default: "@Model class A { var a: Int }\n\(times(open))\(times("#endif\n"))"
      }
    guard let source = try parsed(text) else { return }
    #expect(source.modelClasses == ["A"])
  }

  @Test func `nested arrays name their place`() throws {
    let text = String(repeating: "[", count: 100)
    guard let source = try parsed("@Model class A { var a: \(text)Int }") else { return }
    #expect(source.findings.map(\.message) == ["syntax error: nested too deeply"])
  }
}
