import StoreModel
import TestSupport
import Testing

/// What a name was in another version, by names and renaming identifiers.
@Suite struct FormerNameTests {
  /// The versions of a property that was renamed twice, by the ways to state it.
  private static let versions: [(old: Attribute, new: Attribute)] = [
    // The name just before.
    (attribute("hue", "color"), attribute("tint", "hue")),
    // The canonical name, which stays.
    (attribute("hue", "color"), attribute("tint", "color")),
    // The two versions the other way round.
    (attribute("tint", "color"), attribute("hue", "color")),
    (attribute("hue", "color"), attribute("color")),
    // The first version, and the last.
    (attribute("color"), attribute("tint", "color")),
  ]

  private static func attribute(_ name: String, _ identifier: String? = nil) -> Attribute {
    Attribute(name: name, type: .string, isOptional: true, renamingIdentifier: identifier)
  }

  @Test(arguments: versions.indices)
  func `a renamed property keeps its values in both directions`(of place: Int) {
    let (old, new) = Self.versions[place]
    let origins = entity([new]).origins(in: entity([old]))
    #expect(origins == [new.name: old.name])
  }

  @Test func `a renaming identifier that is the name says nothing`() {
    #expect(Self.attribute("color", "color") == Self.attribute("color"))
    #expect(
      Relationship(name: "a", destinationName: "B", renamingIdentifier: "a")
        == Relationship(name: "a", destinationName: "B"))
    #expect(Entity(name: "A", renamingIdentifier: "A") == Entity(name: "A"))
  }

  @Test func `names are followed in time that grows as their number does`() {
    let count = 20_000
    func entity(_ prefix: String) -> Entity {
      self.entity(
        (0..<count).map { Self.attribute("\(prefix)\($0)", $0 % 2 == 0 ? "x" : "y\($0)") })
    }
    // A search of all pairs would compare four hundred million of them.
    #expect(entity("b").origins(in: entity("a")).count == count / 2)
  }

  @Test func `an entity is found as a property is`() {
    let old = Model(
      entities: [Entity(name: "Auto", renamingIdentifier: "Car")], versionIdentifiers: [],
      configurations: [:])
    let new = Model(
      entities: [Entity(name: "Vehicle", renamingIdentifier: "Car")], versionIdentifiers: [],
      configurations: [:])
    #expect(new.origins(in: old) == ["Vehicle": "Auto"])
    #expect(old.origins(in: new) == ["Auto": "Vehicle"])
  }

  @Test func `a name that both versions have is the same property`() {
    let old = entity([Self.attribute("color"), Self.attribute("tint")])
    let new = entity([Self.attribute("color"), Self.attribute("hue", "color")])
    #expect(new.origins(in: old) == ["color": "color"])
  }

  @Test func `nothing is guessed where two properties state the same`() {
    let new = entity([Self.attribute("hue", "color"), Self.attribute("tint", "color")])
    let old = entity([Self.attribute("color")])
    #expect(new.origins(in: old) == [:])
    #expect(old.origins(in: new) == [:])
  }

  @Test func `what the new version states comes before what the old one states`() {
    let old = entity([Self.attribute("hue", "color")])
    let new = entity([Self.attribute("color"), Self.attribute("tint", "hue")])
    #expect(new.origins(in: old) == ["tint": "hue"])
  }

  @Test func `a property that isn't stored is neither new nor old`() {
    let transient = Property.attribute(
      Attribute(name: "color", type: .string, isOptional: true, isTransient: true))
    let hue = Property.attribute(Self.attribute("hue", "color"))
    let tint = Property.attribute(Self.attribute("tint", "color"))
    for hidden in [transient, .fetched(name: "color")] {
      let old = Entity(name: "Car", properties: [hidden, hue])
      #expect(Entity(name: "Car", properties: [tint]).origins(in: old) == ["tint": "hue"])
      let new = Entity(name: "Car", properties: [hidden])
      #expect(new.origins(in: Entity(name: "Car", properties: [hue])) == [:])
    }
  }

  @Test func `any versions give what a search of all pairs gives`() {
    var random = SeededGenerator(printing: "origins")
    for _ in 0..<2_000 {
      let (old, new) = (entity(random.attributes()), entity(random.attributes()))
      #expect(new.origins(in: old) == searched(new.attributes, old.attributes))
    }
  }

  /// Returns the former names by comparing each pair: one counts if neither side has another pair.
  private func searched(_ new: [Attribute], _ old: [Attribute]) -> [String: String] {
    let ways: [(Attribute, Attribute) -> Bool] = [
      { $0.name == $1.name },
      { $0.renamingIdentifier == $1.name },
      { $0.renamingIdentifier != nil && $0.renamingIdentifier == $1.renamingIdentifier },
      { $0.name == $1.renamingIdentifier },
    ]
    var pairs: [(new: String, old: String)] = []
    for way in ways {
      let free = (
        new.filter { one in !pairs.contains { $0.new == one.name } },
        old.filter { one in !pairs.contains { $0.old == one.name } }
      )
      let found = free.0.flatMap { one in free.1.filter { way(one, $0) }.map { (one.name, $0.name) }
      }
      pairs += found.filter { pair in
        found.count { $0.0 == pair.0 } == 1 && found.count { $0.1 == pair.1 } == 1
      }
      .map { (new: $0.0, old: $0.1) }
    }
    return Dictionary(pairs.map { ($0.new, $0.old) }) { first, _ in first }
  }

  private func entity(_ attributes: [Attribute]) -> Entity {
    Entity(name: "Car", properties: attributes.map { .attribute($0) })
  }
}

extension SeededGenerator {
  /// Returns attributes with few names, so that they are often those of another version.
  fileprivate mutating func attributes() -> [Attribute] {
    let names = ["a", "b", "c", "d"]
    return names.filter { _ in below(2) == 0 }.map { name in
      let former = names[below(names.count)]
      return Attribute(
        name: name, type: .string, isOptional: true,
        renamingIdentifier: below(2) == 0 || former == name ? nil : former)
    }
  }
}
