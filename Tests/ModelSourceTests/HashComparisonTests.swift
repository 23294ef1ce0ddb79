import StoreModel
import TestSupport
import Testing

@testable import ModelSource

@Suite struct HashComparisonTests {
  private static let model = Model(
    entities: [
      Entity(
        name: "Base", isAbstract: true,
        properties: [.attribute(Attribute(name: "id", type: .uuid))],
        uniquenessConstraints: [["id"]]),
      Entity(
        name: "Leaf", superentityName: "Base",
        properties: [
          .attribute(Attribute(name: "count", type: .integer32)),
          .attribute(
            Attribute(
              name: "place", type: .composite,
              elements: [Attribute(name: "x", type: .double, isOptional: true)])),
          .relationship(Relationship(name: "items", destinationName: "Item", maxCount: 0)),
        ]),
      Entity(
        name: "Item",
        properties: [
          .attribute(Attribute(name: "isDone", type: .boolean, isOptional: true)),
          .relationship(Relationship(name: "leaf", destinationName: "Leaf")),
        ]),
    ], dialect: .coreData)

  private static func replacing(_ name: String, _ change: (Entity) -> Entity) -> Model {
    Model(entities: model.entities.map { $0.name == name ? change($0) : $0 }, dialect: .coreData)
  }

  private static func with(_ property: Property, in name: String, without old: String) -> Model {
    replacing(name) { entity in
      Entity(
        name: name, isAbstract: entity.isAbstract, superentityName: entity.superentityName,
        properties: entity.properties.filter { $0.name != old } + [property],
        uniquenessConstraints: entity.uniquenessConstraints)
    }
  }

  /// The causes for each entity that differs, in a store of another model without a cache.
  private static func causes(_ stored: Model) -> [String: [String]] {
    let comparison = HashComparison(model, VersionHashes(stored), cached: nil)
    return Dictionary(
      uniqueKeysWithValues: comparison.entities.filter { $0.state != .equal }
        .map { ($0.name, $0.causes) })
  }

  @Test func `a model confirms its own hashes`() {
    #expect(HashComparison(Self.model, VersionHashes(Self.model), cached: nil).isConfirmed)
  }

  @Test(arguments: [
    (Attribute(name: "count", type: .integer64), "is Integer 64 in the store"),
    (Attribute(name: "count", type: .integer32, isOptional: true), "is optional in the store"),
    (
      Attribute(name: "count", type: .integer32, allowsExternalStorage: true),
      "is stored externally in the store"
    ),
    (Attribute(name: "counts", type: .integer32), "is called 'counts' in the store"),
    (
      Attribute(name: "count", type: .integer32, isTransient: true),
      "is missing in the store, or transient"
    ),
  ])
  func `a change of an attribute is found`(attribute: Attribute, words: String) {
    #expect(
      Self.causes(Self.with(.attribute(attribute), in: "Leaf", without: "count"))
        == ["Leaf": ["'Leaf.count' \(words)"]])
  }

  @Test(arguments: [
    (
      Relationship(name: "items", destinationName: "Item", maxCount: 0, isOrdered: true),
      "is ordered in the store"
    ),
    (
      Relationship(name: "items", destinationName: "Item", maxCount: 0, isOptional: false),
      "is not optional in the store"
    ),
    (
      Relationship(name: "items", destinationName: "Item", inverseName: "leaf", maxCount: 0),
      "has the inverse 'leaf' in the store"
    ),
    (
      Relationship(name: "items", destinationName: "Item", maxCount: 1),
      "has at most 1 in the store"
    ),
    (
      Relationship(name: "items", destinationName: "Item", maxCount: 0, minCount: 1),
      "has at least 1 in the store"
    ),
    (
      Relationship(name: "items", destinationName: "Leaf", maxCount: 0),
      "leads to 'Leaf' in the store"
    ),
  ])
  func `a change of a relationship is found`(relationship: Relationship, words: String) {
    #expect(
      Self.causes(Self.with(.relationship(relationship), in: "Leaf", without: "items"))
        == ["Leaf": ["'Leaf.items' \(words)"]])
  }

  @Test func `a change of an entity is found`() {
    let stored = Self.replacing("Base") { entity in
      var entity = entity
      entity.uniquenessConstraints = []
      return entity
    }
    #expect(
      Self.causes(stored) == [
        "Base": ["the uniqueness constraints are missing in the store"],
        "Leaf": ["its super-entity 'Base' differs"],
      ])
  }

  @Test func `a renamed entity is found`() {
    let stored = Model(
      entities: Self.model.entities.map { entity in
        entity.name != "Item" ? entity : Entity(name: "Thing", properties: entity.properties)
      })
    #expect(Self.causes(stored)["Item"] == ["the entity is called 'Thing' in the store"])
  }

  @Test func `two changes at once have no cause`() {
    let stored = Self.with(
      .attribute(Attribute(name: "isDone", type: .string)), in: "Item", without: "isDone")
    #expect(Self.causes(stored) == ["Item": []])
  }

  /// The entities' states and causes for a model whose entity 'Base' has a derived attribute.
  private static func derived(
    _ stored: Model, cached: Bool
  ) -> HashComparison {
    let count = Attribute(name: "sum", type: .integer64, isDerived: true)
    func deriving(_ model: Model) -> Model {
      Model(
        entities: model.entities.map { entity in
          entity.name != "Base"
            ? entity
            : Entity(
              name: "Base", isAbstract: entity.isAbstract,
              properties: entity.properties + [.attribute(count)],
              uniquenessConstraints: entity.uniquenessConstraints)
        }, dialect: .coreData)
    }
    let stored = deriving(stored)
    return HashComparison(deriving(model), VersionHashes(stored), cached: cached ? stored : nil)
  }

  @Test(arguments: [false, true])
  func `an entity with a derived attribute is never equal, nor its sub-entities`(cached: Bool) {
    let comparison = Self.derived(Self.model, cached: cached)
    #expect(comparison.entities.map(\.state) == [.unknown, .equal, .unknown])
    #expect(comparison.unknown == ["Base", "Leaf"])
    #expect(!comparison.isConfirmed && !comparison.hasDifferences)
    #expect(comparison.entities.last?.causes == ["'Base.sum' is a derived attribute"])
  }

  @Test func `an entity with a derived attribute is compared with the cache`() {
    let stored = Self.replacing("Base") { entity in
      var entity = entity
      entity.uniquenessConstraints = []
      return entity
    }
    let comparison = Self.derived(stored, cached: true)
    #expect(comparison.hasDifferences)
    #expect(comparison.entities.map(\.state) == [.differs, .equal, .differs])
    #expect(
      comparison.entities.map(\.causes) == [
        ["the uniqueness constraints are missing in the store"], [],
        ["its super-entity 'Base' differs"],
      ])
    #expect(!Self.derived(stored, cached: false).hasDifferences)
  }

  @Test func `a recorded hash of a derived attribute's entity is compared`() {
    var model = Model(
      entities: [
        Entity(
          name: "E",
          properties: [.attribute(Attribute(name: "a", type: .string, isDerived: true))])
      ], dialect: .coreData)
    let hashes = VersionHashes(entities: ["E": Array(repeating: 7, count: 32)])
    model.record(hashes)
    #expect(HashComparison(model, hashes, cached: nil).isConfirmed)
    #expect(HashComparison(model, VersionHashes(entities: ["E": []]), cached: nil).hasDifferences)
  }

  @Test func `with a cache, all differences are causes`() {
    let stored = Self.with(
      .attribute(Attribute(name: "isDone", type: .string)), in: "Item", without: "isDone")
    let comparison = HashComparison(Self.model, VersionHashes(stored), cached: stored)
    #expect(
      comparison.entities.first { $0.name == "Item" }?.causes == [
        "'Item.isDone' is String in the store", "'Item.isDone' is not optional in the store",
      ])
  }
}
